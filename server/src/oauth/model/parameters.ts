/** Parameters of a query or a form, read by the rules of RFC 6749 sections 3.1 and 3.2. */
import { type Refusal, refuse } from '../../core/errors.ts'

export interface Parameters {
  /** A parameter without a value counts as missing. */
  values: Readonly<Record<string, string | undefined>>
  /** The fault of a parameter that has no single usable value, in words. */
  faults: Readonly<Record<string, string | undefined>>
}

/**
 * Takes the output of a query parser: a string for each name, or an array if the name was repeated.
 */
export function readParameters(parsed: Readonly<Record<string, unknown>>): Parameters {
  const values: Record<string, string> = Object.create(null)
  const faults: Record<string, string> = Object.create(null)
  for (const [name, value] of Object.entries(parsed)) {
    if (Array.isArray(value)) faults[name] = 'was sent more than once: send it once'
    // PostgreSQL's text type cannot store NUL, and no valid value contains it.
    else if (String(value).includes('\0')) faults[name] = 'holds a NUL character'
    else if (typeof value === 'string' && value !== '') values[name] = value
  }
  return { values, faults }
}

/** Refuses the first parameter that is invalid in itself, such as one sent twice. */
export function parameterFault(parameters: Parameters): Refusal | undefined {
  const [first] = Object.entries(parameters.faults)
  if (!first) return undefined
  const [name, fault] = first
  return refuse('invalid_request', `The parameter ${name} ${fault}.`, { field: name })
}

/** Returns the named parameters, or a refusal that names the missing ones. */
export function requireParameters<Name extends string>(
  parameters: Parameters,
  names: readonly Name[],
): Record<Name, string> {
  const fault = parameterFault(parameters)
  if (fault) throw fault
  const missing = names.filter((name) => parameters.values[name] === undefined)
  if (missing.length > 0) {
    const text = `The request lacks ${missing.join(', ')}.`
    throw refuse('invalid_request', text, { field: missing[0] as string })
  }
  return parameters.values as Record<Name, string>
}
