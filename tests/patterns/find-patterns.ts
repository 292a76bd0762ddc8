/**
 * Every regular expression of the shipped code, found in its syntax tree: literals, calls of
 * `RegExp`, and the patterns of JSON Schemas. Strings and comments do not count.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'oxc-parser'

const root = path.join(import.meta.dirname, '../..')
const folders = ['server/src', 'sdk/src', 'cli/src']

export interface FoundPattern {
  file: string
  line: number
  /** Written like a regular expression: `/a+/i`, with `${name}` for an inserted value. */
  spelled: string
  source: string
  flags: string
}

interface Node {
  type: string
  start: number
  [key: string]: unknown
}

export function findPatterns(): FoundPattern[] {
  return folders.flatMap(sourcesBelow).flatMap((file) => {
    return patternsOf(file, readFileSync(path.join(root, file), 'utf8'))
  })
}

function sourcesBelow(folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(?:ts|mts|mjs|js)$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .filter((file) => !file.endsWith('.test.ts') && !file.includes('/generated/'))
    .toSorted()
}

export function patternsOf(file: string, text: string): FoundPattern[] {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const consts = constsOf(program as unknown as Node)
  const found: FoundPattern[] = []
  const add = (node: Node, source: string, flags: string) => {
    const line = text.slice(0, node.start).split('\n').length
    found.push({ file, line, source, flags, spelled: `/${oneLine(source)}/${flags}` })
  }
  for (const node of nodesOf(program as unknown as Node)) {
    const regex = node['regex'] as { pattern: string; flags: string } | undefined
    if (node.type === 'Literal' && regex) add(node, regex.pattern, regex.flags)
    if (callsRegExp(node)) {
      const [source, flags] = node['arguments'] as Node[]
      // An argument that is a regular expression or a name from elsewhere is shown by its name.
      add(node, source ? spelling(source, consts) : '', flags ? spelling(flags, consts) : '')
    }
    const key = node.type === 'Property' ? (node['key'] as Node) : undefined
    const value = node['value'] as Node | undefined
    const isPattern = key?.['name'] === 'pattern' && node['kind'] === 'init'
    if (isPattern && value?.type.endsWith('Literal') && !value['regex']) {
      add(node, spelling(value, consts), 'u')
    }
  }
  return found
}

function callsRegExp(node: Node): boolean {
  const callee = node['callee'] as Node | undefined
  return /^(?:New|Call)Expression$/.test(node.type) && callee?.['name'] === 'RegExp'
}

function* nodesOf(node: Node): Generator<Node> {
  yield node
  for (const value of Object.values(node)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one && typeof one === 'object' && typeof one.type === 'string') yield* nodesOf(one)
    }
  }
}

/** The file's constants, of which a pattern may be composed. */
function constsOf(program: Node): ReadonlyMap<string, Node> {
  const consts = new Map<string, Node>()
  for (const node of nodesOf(program)) {
    if (node.type !== 'VariableDeclarator') continue
    const { id, init } = node as unknown as { id: Node; init: Node | null }
    if (id.type === 'Identifier' && init) consts.set(String(id['name']), init)
  }
  return consts
}

function spelling(node: Node, consts: ReadonlyMap<string, Node>, depth = 0): string {
  switch (node.type) {
    case 'Literal':
      return String(node['value'])
    case 'TemplateLiteral':
      return joined(node, 'cooked', consts, depth)
    case 'TaggedTemplateExpression':
      return joined(node['quasi'] as Node, 'raw', consts, depth)
    case 'Identifier': {
      const value = consts.get(String(node['name']))
      const isText = value && /Literal$|^TaggedTemplate/.test(value.type)
      return isText && depth < 5
        ? spelling(value, consts, depth + 1)
        : `\${${String(node['name'])}}`
    }
    default:
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it stands for what nobody can read.
      return '${value}'
  }
}

function joined(
  node: Node,
  form: 'cooked' | 'raw',
  consts: ReadonlyMap<string, Node>,
  depth: number,
): string {
  const { quasis, expressions } = node as unknown as {
    quasis: { value: { cooked: string; raw: string } }[]
    expressions: Node[]
  }
  return quasis
    .map(({ value }, n) => {
      const hole = expressions[n]
      return value[form] + (hole ? spelling(hole, consts, depth) : '')
    })
    .join('')
}

/** Escapes line breaks, because one in a pattern would end its line in the table. */
function oneLine(source: string): string {
  return source.replaceAll('\n', '\\n').replaceAll('\r', '\\r')
}
