/** What crosses the queue: tasks to workers, and their answers to the coordinator. */
import { createHash } from 'node:crypto';
import { decodeNumbers, encodeNumbers } from '@shuffle-dp/experiments/run-folder';

export interface TaskMessage {
  /** Of the program that asks: another does not answer. */
  readonly version: string;
  /** Hash of everything that determines the answer. */
  readonly task: string;
  /** A name of `TASK_MODULES`, and one of its tasks. */
  readonly module: string;
  readonly perform: string;
  readonly text: string;
  /** What it is, for people. */
  readonly label: string;
  /** Name of the queue for the answer. */
  readonly answersTo: string;
  /** Id of a worker that has answered already: another is to say the same. */
  readonly notBy?: string;
}

export interface AnswerMessage {
  readonly task: string;
  /** The job that asked: a task may be asked for by several. */
  readonly job: string;
  /** Id of the worker, and what it is called. */
  readonly by: string;
  readonly name: string;
  /** The answer; or in one line why there is none. */
  readonly text: string;
  readonly isFailure: boolean;
  /** SHA-256 of the text. */
  readonly checksum: string;
}

/** SHA-256 in hexadecimal. */
export function hashOf(...parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part, 'utf8').update('\0');
  return hash.digest('hex');
}

export function encoded(value: unknown): string {
  return JSON.stringify(value, encodeNumbers);
}

export function decoded(text: string): unknown {
  return JSON.parse(text, decodeNumbers);
}

/** Of an answer, without the times it took: two answers of one task have the same. */
export function contentHash(text: string): string {
  return hashOf(text.replaceAll(/(?<!\\)"seconds":[-+.\deE]+/gu, '"seconds":0'));
}
