/**
 * Where a text stops being JSON (RFC 8259), for a message to its writer: `JSON.parse` tells the
 * place for some faults only.
 */

export interface JsonSyntaxFault {
  /** Both from 1, as editors count them. */
  line: number
  column: number
  /** What the text has at this place, and what JSON has there. */
  message: string
}

type Expected = keyof typeof expectations

const expectations = {
  value: 'a value',
  valueOrEnd: 'a value or ]',
  name: 'a name in double quotes',
  nameOrEnd: 'a name in double quotes or }',
  colon: 'a colon',
  commaOrEnd: 'a comma or the end of the list or object',
  end: 'nothing more',
}

/** Undefined if the text is JSON. Reads the text once, whatever it holds. */
export function jsonSyntaxFault(text: string): JsonSyntaxFault | undefined {
  const closers: string[] = []
  let expected: Expected = 'value'
  let at = 0
  const fault = (offset: number, right: string): JsonSyntaxFault => describe(text, offset, right)
  const afterValue = (): Expected => (closers.length === 0 ? 'end' : 'commaOrEnd')
  while (true) {
    while (' \t\r\n'.includes(text.charAt(at)) && at < text.length) at++
    if (at === text.length) {
      return expected === 'end' ? undefined : fault(at, expectations[expected])
    }
    const sign = text.charAt(at)
    const closes = sign === closers.at(-1)
    if (closes && ['commaOrEnd', 'valueOrEnd', 'nameOrEnd'].includes(expected)) {
      closers.pop()
      expected = afterValue()
      at++
    } else if (expected === 'commaOrEnd' && sign === ',') {
      expected = closers.at(-1) === '}' ? 'name' : 'value'
      at++
    } else if (expected === 'colon' && sign === ':') {
      expected = 'value'
      at++
    } else if (
      sign === '"' &&
      expected !== 'commaOrEnd' &&
      expected !== 'colon' &&
      expected !== 'end'
    ) {
      const string = endOfString(text, at)
      if (string.fault !== undefined) return fault(string.end, string.fault)
      expected = expected.startsWith('name') ? 'colon' : afterValue()
      at = string.end
    } else if (expected === 'value' || expected === 'valueOrEnd') {
      if (sign === '{' || sign === '[') {
        closers.push(sign === '{' ? '}' : ']')
        expected = sign === '{' ? 'nameOrEnd' : 'valueOrEnd'
        at++
        continue
      }
      const end = endOfScalar(text, at)
      if (end === at) return fault(at, expectations[expected])
      expected = afterValue()
      at = end
    } else return fault(at, expectations[expected])
  }
}

/** The place after the string, or the place of what no string may hold. */
function endOfString(text: string, start: number): { end: number; fault?: string } {
  let at = start + 1
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return { end: at + 1 }
    if (code < 0x20) return { end: at, fault: String.raw`a line break as \n, a tab as \t` }
    if (code === 0x5c) {
      const sign = text.charAt(at + 1)
      const isUnicode = sign === 'u' && /^[0-9a-f]{4}$/i.test(text.slice(at + 2, at + 6))
      if (!isUnicode && !(sign !== '' && '"\\/bfnrt'.includes(sign))) {
        return { end: at, fault: String.raw`a backslash as \\` }
      }
      at += isUnicode ? 6 : 2
    } else at++
  }
  return { end: at, fault: 'the closing double quote' }
}

const numberShape = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** The place after a number or a word; where it begins if it is neither. */
function endOfScalar(text: string, at: number): number {
  const word = ['true', 'false', 'null'].find((literal) => text.startsWith(literal, at))
  if (word) return at + word.length
  numberShape.lastIndex = at
  return at + (numberShape.exec(text)?.[0].length ?? 0)
}

function describe(text: string, offset: number, right: string): JsonSyntaxFault {
  const before = text.slice(0, offset)
  const lineStart = before.lastIndexOf('\n') + 1
  const line = before.split('\n').length
  const column = offset - lineStart + 1
  const sign = String.fromCodePoint(text.codePointAt(offset) ?? 0)
  const isShown = offset < text.length && /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(sign)
  const actual =
    offset >= text.length
      ? 'the text ends'
      : isShown
        ? `${sign} stands`
        : 'a blank or invisible character stands'
  return { line, column, message: `${actual} where JSON has ${right}` }
}
