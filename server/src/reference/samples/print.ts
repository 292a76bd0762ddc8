/** Prints values as people write them: on one line if they fit, otherwise one item per line. */

export interface Style {
  text(text: string): string
  name(key: string): string
  word(value: number | boolean | null | undefined): string
  /** What stands between the name of a property and its value. */
  colon: ': ' | ' => '
  /** What encloses the properties of an object, and what is printed for one without any. */
  braces: readonly ['{' | '[', '}' | ']']
  empty: string
  /** Printed after the last item of several lines. */
  trailing: ',' | ''
}

export const json: Style = {
  text: JSON.stringify,
  name: JSON.stringify,
  word: JSON.stringify,
  colon: ': ',
  braces: ['{', '}'],
  empty: '{}',
  trailing: '',
}

const quoted = (text: string) =>
  `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`

export const typescript: Style = {
  ...json,
  text: quoted,
  name: typescriptName,
  trailing: ',',
}

const pythonWords = new Map<unknown, string>([
  [true, 'True'],
  [false, 'False'],
  [null, 'None'],
])

export const python: Style = {
  ...json,
  // What JSON escapes in a text, Python reads the same way.
  text: JSON.stringify,
  name: JSON.stringify,
  word: (value) => pythonWords.get(value) ?? JSON.stringify(value),
  trailing: ',',
}

const phpQuoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`

export const php: Style = {
  text: phpQuoted,
  name: phpQuoted,
  word: JSON.stringify,
  colon: ' => ',
  braces: ['[', ']'],
  empty: 'new stdClass()',
  trailing: ',',
}

function typescriptName(key: string): string {
  // As a plain or quoted key it would set the prototype (ECMA-262 B.3.1). A computed key does not.
  if (key === '__proto__') return `[${quoted(key)}]`
  return /^[a-zA-Z_]\w*$/.test(key) ? key : quoted(key)
}

const width = 76

export function print(value: unknown, style: Style, indent = ''): string {
  if (typeof value === 'string') return style.text(value)
  if (typeof value !== 'object' || value === null) {
    return style.word(value as number | boolean | null | undefined)
  }
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const items = isList
    ? value.map((entry: unknown) => print(entry, style, inner))
    : Object.entries(value).map(
        ([key, entry]) => `${style.name(key)}${style.colon}${print(entry, style, inner)}`,
      )
  const [open, close] = isList ? ['[', ']'] : style.braces
  if (items.length === 0) return isList ? '[]' : style.empty
  const space = isList ? '' : ' '
  const line = `${open}${space}${items.join(', ')}${space}${close}`
  if (line.length + indent.length <= width && !line.includes('\n')) return line
  return `${open}\n${inner}${items.join(`,\n${inner}`)}${style.trailing}\n${indent}${close}`
}
