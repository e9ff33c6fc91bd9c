/** The names that a document may use at a place, read from its JSON Schema, and which of them was meant. */
import { nearestName } from '../words/nearest-name.ts';
import type { ConfigPath } from './config-error.ts';

/** The parts of a JSON Schema that are used here. */
export interface JsonSchemaNode {
  readonly properties?: Readonly<Record<string, JsonSchemaNode>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchemaNode;
  readonly oneOf?: readonly JsonSchemaNode[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchemaNode[];
}

function schemaAt(root: JsonSchemaNode, path: ConfigPath): JsonSchemaNode {
  let node = root;
  for (const step of path) {
    node = (typeof step === 'number' ? node.items : node.properties?.[step]) ?? {};
  }
  return node;
}

/** What `kind` may be at a place; empty where there is no such field. */
export function knownKinds(root: JsonSchemaNode, path: ConfigPath): readonly string[] {
  return variantsAt(root, path).map(kindOf);
}

/** The fields at a place, of a group of fields of this kind if there are several. */
export function knownKeys(root: JsonSchemaNode, path: ConfigPath, kind: unknown): readonly string[] {
  const variant = variantsAt(root, path).find((one) => kindOf(one) === kind) ?? schemaAt(root, path);
  return Object.keys(variant.properties ?? {});
}

/**
 * What an unknown kind most likely means, in words for "did you mean": a known one that is spelt alike, a
 * value of a field that another kind must have, or those that have it as a part of their names. Undefined
 * where there is none.
 */
export function meantKind(root: JsonSchemaNode, path: ConfigPath, kind: string): string | undefined {
  const variants = variantsAt(root, path);
  const kinds = variants.map(kindOf);
  const near = nearestName(kind, kinds);
  if (near !== undefined) return near;
  for (const variant of variants)
    for (const field of variant.required ?? [])
      if (isAmong(kind, variant.properties![field]!))
        return `kind: ${kindOf(variant)} with ${field}: ${kind}`;
  const longer = kinds.filter((known) => known.split('-').includes(kind));
  return longer.length === 0 ? undefined : longer.join(' or ');
}

/** Whether a field may have this value, alone or in a list. */
function isAmong(value: string, { enum: values = [], anyOf = [], items }: JsonSchemaNode): boolean {
  return (
    values.includes(value) ||
    anyOf.some((node) => isAmong(value, node)) ||
    (items !== undefined && isAmong(value, items))
  );
}

function variantsAt(root: JsonSchemaNode, path: ConfigPath): readonly JsonSchemaNode[] {
  return schemaAt(root, path).oneOf ?? [];
}

function kindOf({ properties }: JsonSchemaNode): string {
  return String(properties?.['kind']?.const);
}
