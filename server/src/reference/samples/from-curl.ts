/**
 * The calls of a guide that is written for curl, in the other languages that a reader may use. Guides
 * are ours: what is not plain calls of routes stays as it stands.
 */
import type { Operation } from '../../core/operation.ts'
import { allRoutes, type Route } from '../../operations/routes.ts'
import { type Code, code } from '../blocks.ts'
import type { SampleRequest } from '../routes.ts'
import type { Site } from '../site.ts'
import {
  cliSample,
  type NamedCall,
  phpProgram,
  pythonProgram,
  typescriptProgram,
} from './operation.ts'

export function inEachLanguage(
  shell: string,
  { appUrl }: Pick<Site, 'appUrl'>,
  catalog: readonly Operation[],
): Code[] {
  const asWritten = [code('curl', shell)]
  const requests = commandsIn(shell).map((words) => requestOf(words, appUrl))
  if (requests.length === 0 || requests.includes(undefined)) return asWritten
  const sent = requests.filter((request) => request !== undefined)
  const routes = allRoutes(catalog)
  const calls = sent.map((request) => namedCall(request, routes))
  const named = calls.filter((call) => call !== undefined)
  if (named.length < calls.length) return asWritten
  return [
    ...asWritten,
    code('typescript', typescriptProgram(named, appUrl)),
    code('python', pythonProgram(sent, appUrl)),
    code('php', phpProgram(sent, appUrl)),
    code('cli', named.map(({ operation, input }) => cliSample(operation, input)).join('\n')),
  ]
}

/** The words of each command, without their quotes. A variable stays as it is written. */
function commandsIn(shell: string): string[][] {
  const commands: string[][] = [[]]
  let word: string | undefined
  let quote = ''
  const endWord = () => {
    if (word !== undefined) commands.at(-1)?.push(word)
    word = undefined
  }
  for (const letter of shell.replaceAll('\\\n', ' ')) {
    if (quote !== '') {
      if (letter === quote) quote = ''
      else word = `${word ?? ''}${letter}`
    } else if (letter === "'" || letter === '"') {
      quote = letter
      word ??= ''
    } else if (letter === '\n') {
      endWord()
      commands.push([])
    } else if (letter === ' ') endWord()
    else word = `${word ?? ''}${letter}`
  }
  endWord()
  return commands.filter((words) => words.length > 0)
}

/** Nothing for a command that is no call with the token of the guides. */
function requestOf([program, ...words]: string[], base: string): SampleRequest | undefined {
  if (program !== 'curl') return undefined
  const headers: string[] = []
  const query: [string, string][] = []
  let [method, url, data]: (string | undefined)[] = []
  const rest = [...words]
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--fail-with-body') continue
    if (word === '--get') method = 'GET'
    else if (word === '--request') method = rest.shift()
    else if (word === '--header') headers.push(rest.shift()?.toLowerCase() ?? '')
    else if (word === '--data') data = rest.shift()
    else if (word === '--data-urlencode') {
      const [key = '', ...value] = (rest.shift() ?? '').split('=')
      query.push([key, value.join('=')])
    } else if (word.startsWith('-') || url !== undefined) return undefined
    else url = word
  }
  if (!url?.startsWith(`${base}/v1/`)) return undefined
  if (!headers.includes('authorization: bearer $crier_token')) return undefined
  const path = url.slice(base.length)
  const body = data === undefined ? undefined : (JSON.parse(data) as Record<string, unknown>)
  return {
    method: method ?? (body ? 'POST' : 'GET'),
    path: query.length > 0 ? `${path}?${new URLSearchParams(query)}` : path,
    body,
  }
}

/** The operation that a request calls, and its input. */
function namedCall(
  { method, path, body = {} }: SampleRequest,
  routes: readonly Route[],
): NamedCall | undefined {
  const url = new URL(path, 'https://crier.example')
  const parts = url.pathname.split('/')
  const fits = (route: Route) => {
    const names = route.path.split('/')
    return (
      route.method === method &&
      names.length === parts.length &&
      names.every((name, n) => name.startsWith(':') || name === parts[n])
    )
  }
  // `/v1/contacts/query` also fits `/v1/contacts/:contact_id`: the route that names more is meant.
  const [route] = routes.filter(fits).toSorted((a, b) => a.inPath.length - b.inPath.length)
  if (!route) return undefined
  const input: Record<string, unknown> = {}
  for (const [n, name] of route.path.split('/').entries()) {
    if (name.startsWith(':')) input[name.slice(1)] = decodeURIComponent(parts[n] ?? '')
  }
  for (const [key, value] of url.searchParams) {
    input[key] = /^[[{\d]|^true$|^false$/.test(value) ? JSON.parse(value) : value
  }
  return { operation: route.operation, input: { ...input, ...body } }
}
