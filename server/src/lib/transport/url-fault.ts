/**
 * What is wrong with the URL of a next hop, such as `smtp://user:password@host?pool=5`. A special
 * character of the password that is not escaped ends the password early, and what follows is read as
 * something else. The texts repeat no part of the URL, which may hold a password.
 */

export interface Parameter {
  isFine(value: string): boolean
  /** Completes `pool takes …`. */
  takes: string
}

export const escapes =
  'Escape special characters of the user and the password: / is %2F, ? is %3F, # is %23, % is %25, @ is %40.'

export const wholeUpTo = (limit: number): Parameter => ({
  isFine: (value) => Number.isInteger(Number(value)) && inRange(Number(value), limit),
  takes: `a whole number from 1 to ${limit}`,
})

export const numberUpTo = (limit: number): Parameter => ({
  isFine: (value) => inRange(Number(value), limit),
  takes: `a number above 0, up to ${limit}`,
})

export const oneOf = (...values: string[]): Parameter => ({
  isFine: (value) => values.includes(value),
  takes: `one of ${values.join(', ')}`,
})

export const anyText: Parameter = { isFine: () => true, takes: 'any text' }

/** Completes `SMTP_URL …`. Undefined where the URL is fine, and where it is none at all. */
export function urlFault(
  text: string,
  parameters: ReadonlyMap<string, Parameter>,
): string | undefined {
  const url = URL.parse(text)
  if (!url) return undefined
  if ((url.pathname !== '' && url.pathname !== '/') || url.hash !== '') {
    return `goes on after the host and the port. ${escapes}`
  }
  if (!isEscaped(url.username) || !isEscaped(url.password)) {
    return `has a % that begins no escaped character. ${escapes}`
  }
  for (const [name, value] of url.searchParams) {
    const parameter = parameters.get(name)
    if (!parameter) {
      return `has a parameter that it does not accept. It accepts ${[...parameters.keys()].join(', ')}. ${escapes}`
    }
    if (!parameter.isFine(value)) return `has a wrong ${name}, which must be ${parameter.takes}.`
  }
  return undefined
}

const inRange = (value: number, limit: number) => value > 0 && value <= limit

function isEscaped(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
