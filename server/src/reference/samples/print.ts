/** Prints values as people write them: on one line if they fit, otherwise one item per line. */

export interface Style {
  text(text: string): string
  name(key: string): string
  /** Printed after the last item of several lines. */
  trailing: ',' | ''
}

export const json: Style = { text: JSON.stringify, name: JSON.stringify, trailing: '' }

const quoted = (text: string) =>
  `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`

export const typescript: Style = {
  text: quoted,
  name: typescriptName,
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
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const items = isList
    ? value.map((entry: unknown) => print(entry, style, inner))
    : Object.entries(value).map(
        ([key, entry]) => `${style.name(key)}: ${print(entry, style, inner)}`,
      )
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (items.length === 0) return open + close
  const space = isList ? '' : ' '
  const line = `${open}${space}${items.join(', ')}${space}${close}`
  if (line.length + indent.length <= width && !line.includes('\n')) return line
  return `${open}\n${inner}${items.join(`,\n${inner}`)}${style.trailing}\n${indent}${close}`
}
