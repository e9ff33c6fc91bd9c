/** A party as a process of its own, which is asked by messages and answers by messages. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { errorCode } from '@shuffle-dp/core';
import { argumentsFor } from '../pool/node-arguments.ts';
import { Analyzer } from './analyzer.ts';
import { Clients } from './clients.ts';
import type { Reached } from './parties.ts';
import { Shuffler } from './shuffler.ts';

const PARTIES = { clients: Clients, shuffler: Shuffler, analyzer: Analyzer } as const;

export type PartyName = keyof typeof PARTIES;
type PartyOf<Name extends PartyName> = InstanceType<(typeof PARTIES)[Name]>;

/** A party refused, failed or ended. */
export class PartyError extends Error {
  override readonly name = 'PartyError';
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

interface Question {
  readonly method: string;
  readonly given: readonly unknown[];
}

type Reply =
  { readonly answer: unknown } | { readonly refusal: { readonly message: string; readonly code: string } };

export interface StartedParty<Name extends PartyName> {
  readonly party: Reached<PartyOf<Name>>;
  /** Ends the process; it keeps nothing. */
  end(): void;
}

/** Starts a party. One question is asked of it at a time. */
export function startParty<Name extends PartyName>(name: Name): StartedParty<Name> {
  const child = fork(new URL(import.meta.url), [name], {
    serialization: 'advanced',
    execArgv: [...argumentsFor(import.meta.url)],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ask = (question: Question): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const settle = (act: () => void): void => {
        child.off('message', onReply).off('exit', onEnd).off('error', onEnd);
        act();
      };
      const onReply = (reply: Reply): void =>
        settle(() => {
          if ('answer' in reply) resolve(reply.answer);
          else reject(new PartyError(`the ${name}: ${reply.refusal.message}`, reply.refusal.code));
        });
      const onEnd = (): void =>
        settle(() => reject(new PartyError(`the process of the ${name} ended`, 'party-ended')));
      if (!child.connected) return onEnd();
      child.on('message', onReply).on('exit', onEnd).on('error', onEnd);
      child.send(question, (error) => {
        if (error) onEnd();
      });
    });
  const party = new Proxy(
    {},
    {
      // A party is no promise, though it answers to every name.
      get: (_, method) =>
        typeof method === 'string' && method !== 'then'
          ? (...given: unknown[]) => ask({ method, given })
          : undefined,
    },
  ) as Reached<PartyOf<Name>>;
  return { party, end: () => void child.kill() };
}

/** In the process of a party: answers until the one who asks is gone. */
function answerQuestions(name: PartyName): void {
  const party = new PARTIES[name]();
  process.on('disconnect', () => process.exit(0));
  process.on('message', ({ method, given }: Question) => {
    const answer = async (): Promise<unknown> =>
      await (party as unknown as Record<string, (...given: unknown[]) => unknown>)[method]!(...given);
    answer().then(
      (value) => process.send!({ answer: value } satisfies Reply),
      (error: unknown) => process.send!({ refusal: refusalOf(error) } satisfies Reply),
    );
  });
}

function refusalOf(error: unknown): { readonly message: string; readonly code: string } {
  const message = error instanceof Error ? error.message : String(error);
  return { message, code: errorCode(error) ?? 'party-failed' };
}

const [, startedFile, role] = process.argv;
if (startedFile === fileURLToPath(import.meta.url)) answerQuestions(role as PartyName);
