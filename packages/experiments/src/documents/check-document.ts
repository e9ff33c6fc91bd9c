/** YAML or JSON checked against a schema. All refusals are one line that names the file and the value. */
import {
  isCollection,
  isScalar,
  LineCounter,
  parseDocument,
  stringify,
  visit,
  type Node,
  type YAMLParseError,
  type YAMLWarning,
} from 'yaml';
import * as z from 'zod';
import { ConfigError, pathText, refusal, valueText, type ConfigPath } from './config-error.ts';
import { TELLING_FIELDS } from './config-kinds.ts';
import { knownKeys, knownKinds, meantKind, type JsonSchemaNode } from './known-names.ts';
import { nearestName } from '../words/nearest-name.ts';

/** What is checked in place of what is written. */
export interface DocumentChanges {
  /** Fields in place of the document's; undefined ones are left out. */
  readonly overrides?: object;
  /** The document that refusals are about. */
  readonly edited?: (document: object) => object;
}

/**
 * @param file the name to use in messages
 * @param what the document is, for one that is no object: 'an experiment config: fields such as name and
 * seed'
 * @throws ConfigError
 */
export function checkDocument<Schema extends z.ZodType>(
  text: string,
  file: string,
  schema: Schema,
  what: string,
  { overrides = {}, edited = (document) => document }: DocumentChanges = {},
): z.output<Schema> {
  const written = parseYaml(text, file);
  if (typeof written !== 'object' || written === null || Array.isArray(written)) {
    throw new ConfigError(`${file}: must be ${what}`);
  }
  const given = edited(written);
  const checked = schema.safeParse({ ...given, ...definedOnly(overrides) }, { error: kindInWords });
  if (checked.success) return checked.data;
  const jsonSchema = z.toJSONSchema(schema, { io: 'input' }) as JsonSchemaNode;
  refuseOtherKind(file, given, jsonSchema);
  throw refuseIssue(file, given, tellingIssue(checked.error.issues as unknown as Issue[], given), jsonSchema);
}

/** What stands after a decimal comma, which YAML takes for a field without a value. */
function fractionOf({ path, keys }: Issue, given: unknown): string | undefined {
  return keys?.find((key) => /^\d+$/u.test(key) && valueAt(given, [...path, key]) === null);
}

/** The first, but for a decimal comma and a field that is missing where it was misspelt: they say more. */
function tellingIssue(issues: readonly Issue[], given: unknown): Issue {
  const comma = issues.find((issue) => fractionOf(issue, given) !== undefined);
  const first = comma ?? issues[0]!;
  const { path } = first;
  if (comma || path.length === 0 || valueAt(given, path) !== undefined) return first;
  const holder = pathText(path.slice(0, -1));
  const misspelt = issues.find(
    (issue) =>
      issue.code === 'unrecognized_keys' &&
      pathText(issue.path) === holder &&
      nearestName(issue.keys![0]!, [String(path.at(-1))]) !== undefined,
  );
  return misspelt ?? first;
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a group of fields',
};

/** Where a schema has no words of its own. */
function kindInWords(issue: { readonly code?: string; readonly expected?: unknown }): string | undefined {
  return issue.code === 'invalid_type' ? KINDS[String(issue.expected)] : undefined;
}

/** A document as YAML, which `parseYaml` reads again. */
export function yamlText(document: object): string {
  return stringify(document);
}

/**
 * What YAML or JSON says, as plain data. @param file the name to use in messages @throws ConfigError with the
 * line
 */
export function parseYaml(text: string, file: string): unknown {
  const lineCounter = new LineCounter();
  const document = parsed(text, file, lineCounter);
  const placeOf = (offset: number): string => {
    const { line, col } = lineCounter.linePos(offset);
    return `${file}: line ${line}, column ${col}`;
  };
  const [syntax] = document.errors;
  if (syntax !== undefined) throw new ConfigError(`${placeOf(syntax.pos[0])}: ${syntaxWords(syntax, text)}`);
  const [doubtful] = document.warnings;
  if (doubtful !== undefined)
    throw new ConfigError(`${placeOf(doubtful.pos[0])}: ${doubtWords(doubtful, text)}`);
  const strange = strangeNode(document);
  if (strange !== null) throw new ConfigError(`${placeOf(strange.offset)}: ${strange.reason}`);
  try {
    const content: unknown = document.toJS();
    // An alias inside what it stands for goes round in a circle, which has no text.
    JSON.stringify(content);
    return content;
  } catch (error) {
    const { offset, reason } = aliasFault(document, error);
    throw new ConfigError(`${placeOf(offset)}: ${reason}`);
  }
}

const KNOWN_TAGS = new Set(['str', 'int', 'float', 'bool', 'null', 'map', 'seq']);

/** Lists and groups inside each other: ours have a tenth of them, and the parser goes down by calls. */
const MOST_LEVELS = 100;
const TOO_DEEP = `lists and groups of fields are nested too deeply: at most ${MOST_LEVELS} may stand inside each other`;

/** The first that no document here may have: too many levels, or see `strangeness`. */
function strangeNode(
  document: ReturnType<typeof parseDocument>,
): { readonly offset: number; readonly reason: string } | null {
  let found: { offset: number; reason: string } | null = null;
  visit(document, {
    Node: (place, node, path) => {
      const reason = isTooDeep(node, path)
        ? TOO_DEEP
        : place === 'key' && isMerge(node)
          ? MERGES_NOTHING
          : strangeness(node);
      if (reason === undefined) return undefined;
      found = { offset: node.range?.[0] ?? 0, reason };
      return visit.BREAK;
    },
  });
  return found;
}

function isTooDeep(node: Node, path: readonly unknown[]): boolean {
  return isCollection(node) && path.filter(isCollection).length >= MOST_LEVELS;
}

/** As of YAML 1.1: YAML of today takes it for a field of this name. */
function isMerge(key: Node): boolean {
  return isScalar(key) && key.type === 'PLAIN' && key.value === '<<';
}

const MERGES_NOTHING = '<< merges nothing here: write its fields out';

/**
 * A tag that makes something else than texts, numbers, lists and groups of fields; a number that would become
 * another.
 */
function strangeness(node: Node): string | undefined {
  const tag = 'tag' in node ? node.tag : undefined;
  const [, standard] = /^tag:yaml\.org,2002:(.*)$/u.exec(tag ?? '') ?? [];
  if (tag !== undefined && (standard === undefined || !KNOWN_TAGS.has(standard)))
    return meaningless(standard === undefined ? tag : `!!${standard}`);
  const { value, source = '' } = isScalar(node) ? node : {};
  if (typeof value !== 'number' || Number.isSafeInteger(value) || !/^[+-]?\d+$/u.test(source))
    return undefined;
  return `${valueText(BigInt(source))} is too large for a whole number: write one up to ${Number.MAX_SAFE_INTEGER}; in quotes it is a text`;
}

function meaningless(tag: string): string {
  return `${tag} has no meaning here: leave it out, or quote a text that begins with !`;
}

function parsed(text: string, file: string, lineCounter: LineCounter): ReturnType<typeof parseDocument> {
  try {
    return parseDocument(text, { lineCounter, prettyErrors: false, stringKeys: true });
  } catch (error) {
    // The parser goes down by calls.
    if (error instanceof RangeError) throw new ConfigError(`${file}: ${TOO_DEEP}`);
    throw error;
  }
}

/** What the YAML library would only warn of. */
function doubtWords({ code, message, pos }: YAMLWarning, text: string): string {
  if (code !== 'TAG_RESOLVE_FAILED') return message.split('\n')[0]!;
  const tag = /^!\S*/u.exec(text.slice(pos[0]))?.[0] ?? 'a tag';
  return meaningless(tag);
}

/** The commonest faults in our words, the others in those of the YAML library. */
function syntaxWords({ code, message, pos }: YAMLParseError, text: string): string {
  if (code === 'MULTIPLE_DOCS') return 'a second document begins; a file must hold one';
  // Some parts of the parser make an error of the document from what it throws.
  if (code === 'RESOURCE_EXHAUSTION') return TOO_DEEP;
  if (code !== 'DUPLICATE_KEY') return message.split('\n')[0]!;
  const key = /^(?:"[^"]*"|'[^']*'|[^\s:,{}]+)/u.exec(text.slice(pos[0]))?.[0] ?? 'a key';
  return `${key} is given twice`;
}

/** Aliases are looked up when the document is unfolded; nothing else can fail there. */
function aliasFault(
  document: ReturnType<typeof parseDocument>,
  error: unknown,
): { readonly offset: number; readonly reason: string } {
  const message = error instanceof Error ? error.message : String(error);
  const unknown = /^Unresolved alias .*: (.+)$/u.exec(message)?.[1];
  let offset = 0;
  visit(document, {
    Alias: (_, { source, range }) => {
      if (unknown !== undefined && source !== unknown) return undefined;
      offset = range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  if (unknown !== undefined)
    return { offset, reason: `*${unknown} stands for nothing: no &${unknown} comes before it` };
  if (message.startsWith('Excessive alias count'))
    return { offset, reason: 'aliases of aliases, from here on, unfold to too many values' };
  const round = error instanceof TypeError && message.includes('circular');
  return { offset, reason: round ? 'an alias stands inside what it stands for' : message };
}

/** A config of another command, told by a field that only such configs have. */
function refuseOtherKind(file: string, given: object, { properties = {} }: JsonSchemaNode): void {
  const [own, other] = [true, false].map((known) =>
    TELLING_FIELDS.find(({ field }) => field in given && field in properties === known),
  );
  if (own === undefined && other !== undefined)
    throw new ConfigError(
      `${file}: is a config for shuffle-dp ${other.command}, since it has ${other.field}: not of the kind that is asked for here`,
    );
}

function definedOnly(overrides: object): object {
  return Object.fromEntries(Object.entries(overrides).filter(([, value]) => value !== undefined));
}

/** The parts of the schema library's findings that are used here. */
interface Issue {
  readonly code: string;
  readonly path: ConfigPath;
  readonly message: string;
  readonly keys?: readonly string[];
  readonly errors?: readonly (readonly Issue[])[];
  readonly discriminator?: string;
}

function refuseIssue(file: string, given: unknown, issue: Issue, jsonSchema: JsonSchemaNode): ConfigError {
  const { path } = issue;
  const value = valueAt(given, path);
  if (issue.code === 'unrecognized_keys') {
    const fraction = fractionOf(issue, given);
    const key = fraction ?? issue.keys![0]!;
    const near = nearestName(key, knownKeys(jsonSchema, path, valueAt(given, [...path, 'kind'])));
    const meant = near === undefined ? '' : `; did you mean ${near}?`;
    const advice = fraction === undefined ? meant : '; decimals have a point, as in 0.5';
    return new ConfigError(
      `${file}: ${pathText([...path, key])} = ${valueText(valueAt(value, [key]))}: is not a known field${advice}`,
    );
  }
  if (issue.code === 'invalid_union' && issue.discriminator !== undefined) {
    const holder = path.at(-1) === 'kind' ? path.slice(0, -1) : path;
    const kind = valueAt(given, [...holder, 'kind']);
    const meant = typeof kind === 'string' ? meantKind(jsonSchema, holder, kind) : undefined;
    const kinds = knownKinds(jsonSchema, holder).join(', ');
    const allowed = `one of ${kinds}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
    return refusal(file, [...holder, 'kind'], kind, allowed);
  }
  if (issue.code === 'invalid_union') {
    // A value or a list of values: what is wrong with an entry says more than that neither fits.
    const inner = issue.errors?.find((errors) => errors[0] !== undefined && errors[0].path.length > 0)?.[0];
    if (inner !== undefined)
      return refuseIssue(file, given, { ...inner, path: [...path, ...inner.path] }, jsonSchema);
    // A number that is out of range, where a word would do as well.
    const range = issue.errors
      ?.flat()
      .find(({ code }) => code !== 'invalid_type' && code !== 'invalid_value' && code !== 'invalid_union');
    if (range !== undefined) return refusal(file, path, value, range.message);
  }
  if (issue.message === KINDS['object']) {
    const keys = knownKeys(jsonSchema, path, valueAt(given, [...path, 'kind'])).filter(
      (key) => key !== '$schema',
    );
    return refusal(file, path, value, [KINDS['object'], keys.join(', ')].filter(Boolean).join(': '));
  }
  return refusal(file, path, value, issue.message);
}

function valueAt(value: unknown, path: ConfigPath): unknown {
  let current = value;
  for (const step of path) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = (current as Record<string | number, unknown>)[step];
  }
  return current;
}
