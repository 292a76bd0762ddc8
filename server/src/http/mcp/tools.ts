/** Operations as tools: which are listed for whom, and the spellings under which each can be called. */
import {
  type Area,
  allows,
  areas,
  type Operation,
  type Principal,
  tiers,
} from '../../core/operation.ts'
import type { Db } from '../../lib/db/types.ts'
import { nearest } from '../../lib/text/nearest.ts'
import { isLoopback, redirectHost } from '../../oauth/clients/redirect-uri.ts'
import { redirectUriOf } from '../../oauth/connections/connections.ts'
import { callNames, type Spelling } from '../../operations/call.ts'
import { outputSchema, toolSchema } from '../../operations/tool-schema.ts'
import type { Caller } from '../operation-entry.ts'

/** Which tools a client wants listed, from the query of the endpoint's address. */
export interface Choice {
  /** Undefined for the everyday ones. */
  areas?: ReadonlySet<Area>
  /** Only those that change nothing; others cannot be called either. */
  readOnly: boolean
  /** Whether each comes with the schema of its answers. */
  outputSchemas?: boolean
}

export interface Tools {
  find(name: string): Operation | undefined
  /** Whether the name is that of `meta.call`, which calls a tool that is not listed. */
  isCall(name: string): boolean
  /** The listed name most similar to an unknown one. */
  nearest(name: string, spelling: Spelling): string | undefined
  /** Those that the caller can use, and the contract's. */
  list(
    reader: { principal: Pick<Principal, 'scopes' | 'businesses'>; spelling: Spelling },
    choice: Choice,
  ): object[]
}

/** The tools that the contract names, which every connection sees: they lead to a step-up. */
const contractTools: ReadonlySet<string> = new Set([
  'meta.capabilities',
  'meta.usage',
  'business.list',
  'form.list',
  'form.submit',
  'contact.upsert',
  'email.send',
  'sms.send',
  'domain.status',
])

/** In every list: it gives each business_id, and finds the tools that are not in the list. */
const alwaysListed: ReadonlySet<string> = new Set(['business.list', 'meta.find'])

const callTool = 'meta.call'

export function createTools(catalog: readonly Operation[], slug: string): Tools {
  const byName = new Map<string, Operation>()
  for (const operation of catalog) {
    const dotted = `${slug}.v1.${operation.name}`
    const spellings = [dotted, callNames(slug, 'underscored')(operation.name)]
    for (const name of [...spellings, ...(operation.aliases ?? [])]) {
      if (byName.has(name)) throw new Error(`two operations answer to ${name}`)
      byName.set(name, operation)
    }
  }
  const callSpellings = [`${slug}.v1.${callTool}`, callNames(slug, 'underscored')(callTool)]
  const listed = catalog.filter(({ unlisted }) => !unlisted)
  const described = (spelling: Spelling) => {
    const name = callNames(slug, spelling)
    const call = describeCall(name(callTool), name('meta.find'))
    return { call, tools: new Map(listed.map((tool) => [tool, describe(tool, name(tool.name))])) }
  }
  const descriptions = { dotted: described('dotted'), underscored: described('underscored') }
  return {
    find: (name) => byName.get(name),
    isCall: (name) => callSpellings.includes(name),
    nearest(name, spelling) {
      const called = callNames(slug, spelling)
      // A model may omit the service's name, or write a bare name from a document.
      const names = new Map(
        listed.flatMap((operation) => [
          [operation.name, called(operation.name)],
          [operation.name.replaceAll('.', '_'), called(operation.name)],
          [called(operation.name), called(operation.name)],
        ]),
      )
      return names.get(nearest(name, names.keys()) ?? '')
    },
    list({ principal, spelling }, choice) {
      const { tools, call } = descriptions[spelling]
      const visible = listed.filter(
        (tool) =>
          isChosen(tool, choice) && (contractTools.has(tool.name) || canUse(principal, tool)),
      )
      const list = visible.map((tool) => {
        const description = tools.get(tool) as object
        if (!choice.outputSchemas) return description
        return { ...description, outputSchema: outputSchema(tool.output) }
      })
      return choice.readOnly ? list : [...list, call]
    },
  }
}

function isChosen(tool: Operation, choice: Choice): boolean {
  if (choice.readOnly && !tool.hints.readOnly) return false
  if (alwaysListed.has(tool.name)) return true
  if (!choice.areas) return tool.everyday === true
  return tool.area !== undefined && choice.areas.has(tool.area)
}

/** Whether the connection has the scope, and the role and the tier in one of its businesses. */
function canUse(
  { scopes, businesses }: Pick<Principal, 'scopes' | 'businesses'>,
  tool: Operation,
): boolean {
  if (!scopes.has(tool.scope)) return false
  if (businesses.length === 0) return true
  return businesses.some(
    ({ role, tier }) => allows(role, tool) && tiers.indexOf(tier) >= tiers.indexOf(tool.tier),
  )
}

/**
 * Reads `?areas=contacts,forms`, `?areas=all`, `?read_only=1` and `?output_schemas=1`, or says what is
 * wrong with it.
 */
export function readChoice(query: Readonly<Record<string, unknown>>): Choice | string {
  const { areas: names, read_only: readOnly = '0', output_schemas: schemas = '0' } = query
  if (readOnly !== '0' && readOnly !== '1') return 'read_only must be 1 or 0'
  if (schemas !== '0' && schemas !== '1') return 'output_schemas must be 1 or 0'
  const choice = { readOnly: readOnly === '1', ...(schemas === '1' && { outputSchemas: true }) }
  if (names === undefined) return choice
  const chosen = new Set<string>(typeof names === 'string' ? names.split(',') : [''])
  if (chosen.has('all')) return { ...choice, areas: new Set(areas) }
  const areasOfChoice = new Set(areas.filter((area) => chosen.delete(area)))
  const [unknown] = chosen
  if (unknown !== undefined) {
    return `there is no area ${unknown.slice(0, 50)}: areas is all, or some of ${areas.join(', ')}`
  }
  return { ...choice, areas: areasOfChoice }
}

/**
 * Output schemas are omitted unless asked for: an assistant's context is expensive, and the reference
 * has them.
 * Hints are set wherever they mean something, because their defaults are wrong for most tools.
 */
function describe(operation: Operation, name: string): object {
  const { title, summary, input, seldom, hints } = operation
  return {
    name,
    title,
    description: summary,
    inputSchema: toolSchema(input, seldom),
    annotations: {
      readOnlyHint: hints.readOnly,
      destructiveHint: hints.destructive,
      // This hint is meaningless for a tool that only reads (MCP, "ToolAnnotations").
      ...(!hints.readOnly && { idempotentHint: hints.idempotent }),
      openWorldHint: hints.openWorld,
    },
  }
}

/** `meta.call` is a way to call the others, so it is no operation of its own. */
function describeCall(name: string, find: string): object {
  return {
    name,
    title: 'Call a tool that is not listed',
    description: `Calls a tool that ${find}, fix or possible names and that your list does not have. Checks, limits and answer are those of that tool.`,
    inputSchema: {
      type: 'object',
      properties: {
        business_id: { type: 'string' },
        tool: { type: 'string', description: 'Its name.' },
        arguments: { type: 'object', description: 'Its arguments.' },
      },
      required: ['tool'],
    },
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
  }
}

/**
 * How tool names are spelled for a client. With underscores, because the models of many hosts
 * accept no dot; with dots for the clients that DOTTED_CLIENTS names: redirect hosts, `localhost`
 * for programs on their user's machine, and `keys`. A bare call, which names no version of MCP, is
 * that of a program written from the contract, and gets the contract's dotted names, unless it
 * comes from a hosted assistant.
 */
export function createSpelling(db: Db, dottedClients: readonly string[]) {
  const dotted = new Set(dottedClients)
  return async ({ principal }: Caller, isBareCall: boolean): Promise<Spelling> => {
    const { connectionId } = principal
    const uri = connectionId === null ? undefined : await redirectUriOf(db, connectionId)
    const client = uri === undefined ? 'keys' : isLoopback(uri) ? 'localhost' : redirectHost(uri)
    const isProgram = client === 'keys' || client === 'localhost'
    return dotted.has(client) || (isBareCall && isProgram) ? 'dotted' : 'underscored'
  }
}
