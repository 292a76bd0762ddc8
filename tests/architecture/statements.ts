/** Every SQL template of the server, found in its syntax tree, and the tables of businesses. */
import { parseSync } from 'oxc-parser'
import { serverFiles, textOf } from './sources.ts'

export interface FoundStatement {
  /** `server/src/contacts/rows.ts lockByEmail`, with ` 2` for a function's second one. */
  name: string
  /** Its text on one line, with `$` for each value. */
  text: string
}

interface Node {
  type: string
  [key: string]: unknown
}

const tags = ['sql', 'sqlWithin']
const hole = /\$\{(\w+)\}/g
const withoutComments = (text: string) => text.replaceAll(/--[^\n]*/g, '')

/** All statements, each with the text of the fragments that are inserted into it. */
export const statements: readonly FoundStatement[] = whole(
  serverFiles.flatMap((file) => statementsOf(file, textOf(file))),
)

/** The statements of one file: `${changeable}` is a fragment that another file may define. */
export function statementsOf(file: string, text: string): FoundStatement[] {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const seen = new Map<string, number>()
  return [...templatesOf(program as unknown as Node, 'top')].map(({ within, quasi }) => {
    const count = (seen.get(within) ?? 0) + 1
    seen.set(within, count)
    const name = `${file} ${within}${count > 1 ? ` ${count}` : ''}`
    return { name, text: withoutComments(joined(quasi)).replaceAll(/\s+/g, ' ').trim() }
  })
}

/** A fragment inserted by its name, or by a call of it, keeps the name; all else becomes `$`. */
function joined(quasi: Node): string {
  const parts = quasi['quasis'] as { value: { raw: string } }[]
  const holes = (quasi['expressions'] as Node[]).map((hole) => {
    const named = hole.type === 'CallExpression' ? (hole['callee'] as Node) : hole
    return named.type === 'Identifier' ? `\${${named['name'] as string}}` : '$'
  })
  return parts.map(({ value }, i) => `${value.raw}${holes[i] ?? ''}`).join('')
}

/** Resolves names in the same file, or in another one if only one fragment has the name. */
export function whole(found: readonly FoundStatement[]): FoundStatement[] {
  const byName = Map.groupBy(found, ({ name }) => name.split(' ')[1])
  const resolve = ({ name, text }: FoundStatement, depth: number): string =>
    text.replaceAll(hole, (_, put: string) => {
      const all = byName.get(put) ?? []
      const near = all.filter((statement) => statement.name.split(' ')[0] === name.split(' ')[0])
      const [one, ...more] = near.length > 0 ? near : all
      return one && more.length === 0 && depth < 5 ? resolve(one, depth + 1) : '$'
    })
  return found.map((statement) => ({ name: statement.name, text: resolve(statement, 0) }))
}

/** Yields each template with the name of its outermost function or constant. */
function* templatesOf(node: Node, within: string): Generator<{ within: string; quasi: Node }> {
  const tag = node['tag'] as Node | undefined
  if (node.type === 'TaggedTemplateExpression' && tags.includes(String(tag?.['name']))) {
    yield { within, quasi: node['quasi'] as Node }
  }
  const named = /^(?:FunctionDeclaration|VariableDeclarator)$/.test(node.type)
  const id = named ? (node['id'] as { name?: string } | null) : null
  const inner = within === 'top' && id?.name ? id.name : within
  for (const value of Object.values(node)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one && typeof one === 'object' && typeof one.type === 'string') {
        yield* templatesOf(one as Node, inner)
      }
    }
  }
}

/** The tables whose rows belong to a business, according to the committed schema. */
export const businessTables: ReadonlySet<string> = new Set(
  [...textOf('server/schema.sql').matchAll(/^create (?:unlogged )?table (\w+) \(([\s\S]*?)^\)/gm)]
    .filter(([, , columns = '']) => /^\s+business_id /m.test(columns))
    .map(([, name = '']) => name),
)

/** The tables that a statement reads or writes; its own names (CTEs) are not in the schema. */
export function tablesOf(text: string): string[] {
  const found = text.matchAll(/\b(?:from|join|update|into|using|table(?: only)?) (\w+)/g)
  return [...new Set([...found].map(([, name = '']) => name))]
}
