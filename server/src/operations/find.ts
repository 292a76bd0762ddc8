import { areas, type Operation, operation } from '../core/operation.ts'
import { Type } from '../lib/schema/schema.ts'
import { toolSchema } from './tool-schema.ts'

/** The most tools that one search returns with their schemas. */
export const mostFound = 5

/**
 * What a word counts for, by where it stands in the definition of a tool; and the whole name of one
 * in the query, above all words.
 */
const weights = { whole: 100, name: 5, title: 3, field: 2, summary: 1 } as const

/** A section of a guide. */
export interface Passage {
  title: string
  text: string
  url: string
}

export interface FindParts {
  catalog: () => readonly Operation[]
  /** The passages of the guides that fit a query. */
  passagesOf: (query: string) => Promise<readonly Passage[]>
  /** The input schema of an operation, each field with its meaning as the reference has it. */
  meaningsOf: (operation: Operation) => Promise<object>
}

/** Finds tools that a client's list does not have: it has the everyday ones. */
export function findTools({ catalog, passagesOf, meaningsOf }: FindParts) {
  return operation({
    name: 'meta.find',
    title: 'Find a tool',
    area: 'business',
    everyday: true,
    summary:
      'Finds tools by keywords, unlisted ones too (imports, exports, webhooks, merging, erasing, topics, pictures, retention), with their schemas, and passages of the guides. Without query: the names of all, by area. Free, changes nothing.',
    reach: 'connection',
    scope: 'meta:read',
    role: 'viewer',
    tier: 'free',
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    rest: 'GET /v1/tools',
    input: {
      query: Type.Optional(
        Type.String({ maxLength: 200, description: 'What you want to do, in English.' }),
      ),
    },
    output: Type.Object({
      found: Type.Array(
        Type.Object({
          name: Type.String(),
          title: Type.String(),
          summary: Type.String(),
          scope: Type.String(),
          granted: Type.Boolean(),
          read_only: Type.Boolean(),
          input_schema: Type.Object({}, { additionalProperties: true }),
        }),
      ),
      guides: Type.Array(
        Type.Object({
          title: Type.String(),
          text: Type.String(),
          url: Type.String(),
        }),
      ),
      areas: Type.Optional(
        Type.Array(Type.Object({ area: Type.Enum(areas), tools: Type.Array(Type.String()) })),
      ),
    }),

    async run({ principal }, { query = '' }) {
      const tools = catalog().filter(({ unlisted }) => !unlisted)
      const best = bestOf(tools, query)
      const schemas = await Promise.all(best.map((tool) => fullSchema(tool, meaningsOf)))
      const matches = best.map(({ name, title, summary, scope, hints }, n) => ({
        name,
        title,
        summary,
        scope,
        granted: principal.scopes.has(scope),
        read_only: hints.readOnly,
        input_schema: schemas[n] ?? {},
      }))
      const guides = query.trim() === '' ? [] : [...(await passagesOf(query))]
      return matches.length > 0
        ? { found: matches, guides }
        : { found: matches, guides, areas: namesByArea(tools) }
    },
  })
}

/** Its fields as the list has them; one without a description gets its meaning. */
async function fullSchema(
  tool: Operation,
  meaningsOf: FindParts['meaningsOf'],
): Promise<Record<string, unknown>> {
  const brief: { properties?: Record<string, Field> } = toolSchema(tool.input)
  const { properties: meanings = {} }: { properties?: Record<string, Field> } = toolSchema(
    await meaningsOf(tool),
  )
  const fields = Object.entries(brief.properties ?? {}).map(([name, field]) => {
    const description = field.description ?? meanings[name]?.description
    return [name, description === undefined ? field : { ...field, description }]
  })
  return { ...brief, properties: Object.fromEntries(fields) }
}

interface Field {
  description?: string
}

function bestOf(tools: readonly Operation[], query: string): Operation[] {
  const words = wordsOf(query)
  const names = query.toLowerCase().replaceAll('_', '.')
  const scored = tools.map((tool) => {
    const ofName = names.includes(tool.name.replaceAll('_', '.')) ? weights.whole : 0
    return { tool, score: scoreOf(tool, words) + ofName }
  })
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, mostFound)
    .map(({ tool }) => tool)
}

function scoreOf(tool: Operation, query: ReadonlySet<string>): number {
  const words = {
    name: wordsOf(tool.name),
    title: wordsOf(tool.title),
    field: wordsOf(Object.keys(tool.input.properties).join(' ')),
    summary: wordsOf(tool.summary),
  }
  let score = 0
  for (const word of query) {
    for (const source of ['name', 'title', 'field', 'summary'] as const) {
      if (words[source].has(word)) score += weights[source]
    }
  }
  return score
}

/** Words that say nothing about which tool is meant. */
const emptyWords: ReadonlySet<string> = new Set(
  'a all an and are for from in is it list my of on one or the to with'.split(' '),
)

/** The words of a text in lower case, without the ending of plurals. */
function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().split(/[^a-z0-9]+/)
  return new Set(
    words
      .filter((word) => !emptyWords.has(word))
      .map(singular)
      .filter(Boolean),
  )
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word
}

function namesByArea(tools: readonly Operation[]) {
  return areas.map((area) => ({
    area,
    tools: tools.filter((tool) => tool.area === area).map(({ name }) => name),
  }))
}
