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
const withoutComments = (text: string) => text.replaceAll(/--[^\n]*/g, '')

export const statements: readonly FoundStatement[] = serverFiles.flatMap((file) =>
  statementsOf(file, textOf(file)),
)

export function statementsOf(file: string, text: string): FoundStatement[] {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const seen = new Map<string, number>()
  const found = [...templatesOf(program as unknown as Node, 'top')]
  // What is put in under the name of another template is its text, and no parameter.
  const fragments = new Set(found.map(({ within }) => within))
  return found.map(({ within, quasi }) => {
    const count = (seen.get(within) ?? 0) + 1
    seen.set(within, count)
    const name = `${file} ${within}${count > 1 ? ` ${count}` : ''}`
    const text = withoutComments(joined(quasi, fragments))
    return { name, text: text.replaceAll(/\s+/g, ' ').trim() }
  })
}

function joined(quasi: Node, fragments: ReadonlySet<string>): string {
  const parts = quasi['quasis'] as { value: { raw: string } }[]
  const holes = (quasi['expressions'] as Node[]).map((hole) =>
    fragments.has(String(hole['name'])) ? '' : '$',
  )
  return parts.map(({ value }, i) => `${value.raw}${holes[i] ?? ''}`).join('')
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
