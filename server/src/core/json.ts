/** Parses JSON that a caller wrote, and words what is wrong with it. */
import { type JsonFault, parseIJson } from '../lib/text/i-json.ts'
import { jsonSyntaxFault } from '../lib/text/json-syntax.ts'
import { type Refusal, refuse } from './errors.ts'
import { formatFieldPath, truncateKey } from './field-path.ts'

/**
 * Undefined if the text is not JSON; a refusal if readers would change what it says. `within` leads
 * to the text where it is itself the value of a field.
 */
export function readJson(
  text: string,
  within: readonly string[] = [],
): { value: unknown } | Refusal | undefined {
  const parsed = parseIJson(text)
  if (!parsed?.fault) return parsed
  return refuseJson({ ...parsed.fault, path: [...within, ...parsed.fault.path] })
}

/** A text that is not JSON, with the place of the first fault. `value` names it in the message. */
export function refuseSyntax(
  text: string,
  { value, field }: { value: string; field: string },
): Refusal {
  const fault = jsonSyntaxFault(text)
  const position = fault ? `: line ${fault.line}, column ${fault.column}: ${fault.message}` : ''
  return refuse('invalid_request', `${value} is not JSON${position}.`, {
    field,
    data: { reason: 'not_json' },
  })
}

const rules: Record<JsonFault['kind'], (pointer: string) => string> = {
  large_integer: (pointer) =>
    `The integer${pointer && ` at ${pointer}`} is beyond ±${Number.MAX_SAFE_INTEGER}, where JSON readers round (RFC 7493 section 2.2). Send it as a string.`,
  infinite_number: (pointer) =>
    `The number${pointer && ` at ${pointer}`} is larger than JSON readers hold (RFC 7493 section 2.2). Send it as a string.`,
  doubled_name: (pointer) =>
    `${pointer} is there twice, and JSON readers differ in which value they keep (RFC 7493 section 2.3). Send it once.`,
}

/** The message names the value by a JSON pointer (RFC 6901), the field as other refusals do. */
export function refuseJson({ path, kind }: JsonFault): Refusal {
  return refuse('invalid_request', rules[kind](pointerTo(path)), {
    field: formatFieldPath(path) || 'body',
    data: { reason: 'ambiguous_json' },
  })
}

function pointerTo(path: readonly (string | number)[]): string {
  const parts = path.map((part) => (typeof part === 'number' ? `${part}` : truncateKey(part)))
  return parts.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
