/** Every SQL template of the server, found by its syntax tree, and the tables of the businesses. */
import { parseSync } from 'oxc-parser'
import { serverFiles, textOf } from './sources.ts'

export interface FoundStatement {
  /** `server/src/contacts/saving/queries.ts lockByEmail`; where one function has more, `… 2`. */
  name: string
  /** Its text on one line, `$` where a value is put in. */
  text: string
}

interface Node {
  type: string
  [key: string]: unknown
}

const tags = ['sql', 'sqlWithin']
const hole = /\$\{(\w+)\}/g
const withoutComments = (text: string) => text.replaceAll(/--[^\n]*/g, '')

/** Each with the text of those that are put into it. */
export const statements: readonly FoundStatement[] = whole(
  serverFiles.flatMap((file) => statementsOf(file, textOf(file))),
)

/** As they stand: `${changeable}` is what another file may say of it. */
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

/** What is put in by a name, or a call of it, keeps that; all else is `$`. */
function joined(quasi: Node): string {
  const parts = quasi['quasis'] as { value: { raw: string } }[]
  const holes = (quasi['expressions'] as Node[]).map((hole) => {
    const named = hole.type === 'CallExpression' ? (hole['callee'] as Node) : hole
    return named.type === 'Identifier' ? `\${${named['name'] as string}}` : '$'
  })
  return parts.map(({ value }, i) => `${value.raw}${holes[i] ?? ''}`).join('')
}

/** A name is looked for in the same file, and where it stands in one other alone. */
export function whole(found: readonly FoundStatement[]): FoundStatement[] {
  const byName = Map.groupBy(found, ({ name }) => name.split(' ')[1])
  const resolve = ({ name, text }: FoundStatement, depth: number): string =>
    text.replaceAll(hole, (_, put: string) => {
      const all = byName.get(put) ?? []
      const near = all.filter((one) => one.name.split(' ')[0] === name.split(' ')[0])
      const [one, ...more] = near.length > 0 ? near : all
      return one && more.length === 0 && depth < 5 ? resolve(one, depth + 1) : '$'
    })
  return found.map((one) => ({ name: one.name, text: resolve(one, 0) }))
}

/** With the name of the outermost function or constant that holds it. */
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

/** The tables whose rows belong to a business, by the schema that is committed. */
export const businessTables: ReadonlySet<string> = new Set(
  [...textOf('server/schema.sql').matchAll(/^create (?:unlogged )?table (\w+) \(([\s\S]*?)^\)/gm)]
    .filter(([, , columns = '']) => /^\s+business_id /m.test(columns))
    .map(([, name = '']) => name),
)

/** The tables that a statement reads or writes; names that it gives itself are none. */
export function tablesOf(text: string): string[] {
  const found = text.matchAll(/\b(?:from|join|update|into|using|table(?: only)?) (\w+)/g)
  return [...new Set([...found].map(([, name = '']) => name))]
}
