/**
 * Generates docs/design/interop.md from the tables that the tests check: a cell cannot claim what
 * no test saw.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { furtherJobs, jobCosts, mediansOfJobs } from '../assistant/job-costs.ts'
import { transcribed, transcriptLines } from '../assistant/transcripts.ts'
import { packageRoot } from '../support/processes/client-process.ts'
import { clients } from './clients.ts'
import {
  authorizationScenarios,
  baseline,
  passes,
  revisions,
  skippedBySuite,
} from './conformance-baseline.ts'
import { type KeyClientRow, keyClients, keySteps, meaningOfKeyStep } from './key-clients.ts'
import { type Cell, type ClientRow, meaningOf, type Step, steps } from './steps.ts'

/** The page's path from the root of the repository. */
export const pagePath = 'docs/design/interop.md'

const rows: readonly ClientRow[] = Object.values(clients)

export function interopPage(): string {
  return `${[heading, ...matrix(), ...evidence(), ...withKeys(), ...jobs(), ...transcripts(), ...conformance()].join('\n')}\n`
}

const heading = `# Third-party clients

These clients and this suite were written by others, and the tests run them against Crier.
\`npm run generate\` makes this page from the tables in \`tests/interop/\`, which the tests beside
them check: a step is marked as done only if a test ran it against the whole service, with a real
database, over HTTP.
`

function matrix(): string[] {
  const version = (row: ClientRow) => `${row.name} (${installed(row.package)})`
  return [
    '## Clients',
    '',
    ...table(
      ['Client', ...steps],
      rows.map((row) => [version(row), ...steps.map((step) => mark(row.cells[step]))]),
    ),
    '',
    '● done, – the client has no code for it.',
    '',
    ...steps.map((step) => `- **${step}**: ${meaningOf[step]}.`),
    '',
  ]
}

const mark = (cell: Cell): string => ('done' in cell ? '●' : '–')

function evidence(): string[] {
  return [
    '## What the tests saw',
    '',
    ...steps.flatMap((step) => [`**${step}**`, '', ...seen(step), '']),
  ]
}

/** Clients with the same text share a line. */
function seen(step: Step): string[] {
  const said = new Map<string, string[]>()
  for (const { name, cells } of rows) {
    const cell = cells[step]
    const text = 'done' in cell ? cell.done : `no code for it: ${cell.none}`
    said.set(text, [...(said.get(text) ?? []), name])
  }
  return [...said].map(([text, names]) => `- ${names.join('; ')}: ${text}.`)
}

function withKeys(): string[] {
  const all: readonly KeyClientRow[] = Object.values(keyClients)
  return [
    '## With an API key',
    '',
    'The same clients, and two that public generators make from the OpenAPI document, send an API key',
    'as their bearer token. Each runs every step.',
    '',
    ...keySteps.map((step) => `- **${step}**: ${meaningOfKeyStep[step]}.`),
    '',
    ...table(
      ['Client', 'takes the key as', 'without the scope', 'after the revocation'],
      all.map(({ name, given, scope, revoked }) => [name, given, scope, revoked]),
    ),
    '',
    'The generated clients (openapi-typescript, oazapfts) complete their whole flow with a key as with a',
    'token. The SDK takes `apiKey`, the command line `CRIER_API_KEY`, and curl the header.',
    '',
  ]
}

/** What was written and read in some jobs; the tests of the jobs hold it. */
function transcripts(): string[] {
  const everyJob = [...jobCosts, ...furtherJobs]
  return [
    '### What was written and read',
    '',
    'The jobs that took detours before, or could not be done, call by call: → what the assistant wrote, ← what it',
    'read, cut where it is long. Of the tools that `meta.find` found, their names.',
    '',
    ...transcribed.flatMap((number) => [
      `**${number}. ${everyJob.find((job) => job.number === number)?.words}**`,
      '',
      '```text',
      ...transcriptLines(number),
      '```',
      '',
    ]),
  ]
}

function jobs(): string[] {
  const kilobytes = (bytes: number) => (bytes / 1_000).toFixed(1)
  const { calls, bytes } = mediansOfJobs()
  return [
    '## Jobs of an assistant',
    '',
    'Thirty jobs in the words of an owner, carried out over the tools by a script that knows nothing in',
    'advance: it chooses tools by their titles from the list that a connection gets, looks for others with',
    '`meta.find`, and goes on by what the answers say. The names of tools and all ids are scrambled. The',
    'size is that of the arguments and answers together; the list of tools is read once beside it.',
    `The median is ${calls} calls and ${kilobytes(bytes)} kB; at most 3 and 12 are allowed.`,
    '',
    ...table(
      ['Job', 'Calls', 'kB', 'In order'],
      jobCosts.map(({ number, words, calls: names, bytes: size }) => [
        `${number}. ${words}`,
        String(names.length),
        kilobytes(size),
        names.map((name) => `\`${name}\``).join(', '),
      ]),
    ),
    '',
  ]
}

function conformance(): string[] {
  const version = installed('@modelcontextprotocol/conformance')
  const scenarios = [...new Set(revisions.flatMap((revision) => passes[revision]))].sort()
  const cell = (scenario: string, revision: (typeof revisions)[number]) =>
    passes[revision].includes(scenario) ? '●' : ''
  return [
    `## Conformance suite (${version})`,
    '',
    'Server scenarios that pass; an empty cell means that the scenario does not exist at that',
    'revision, or that it is in the list below.',
    '',
    ...table(
      ['Scenario', ...revisions],
      scenarios.map((text) => [text, ...revisions.map((revision) => cell(text, revision))]),
    ),
    '',
    `Authorization-server scenarios that pass: ${list(authorizationScenarios)}.`,
    '',
    `Scenarios that the suite itself skips after it has asked the server: ${list(skippedBySuite)}.`,
    '',
    '### What does not apply',
    '',
    'These scenarios do not apply, for the reasons given. The test fails if one of them passes.',
    '',
    ...baseline.map(({ reason, scenarios: whole = [], checks = [] }) => {
      return `- ${reason} ${list([...whole, ...checks])}.`
    }),
  ]
}

/** Aligned like the formatter's output: the first column to the left, the others centred. */
function table(head: readonly string[], body: readonly (readonly string[])[]): string[] {
  const widths = head.map((_, i) => Math.max(...[head, ...body].map((row) => row[i]?.length ?? 0)))
  const middle = (text: string, width: number) =>
    text.padStart(text.length + Math.floor((width - text.length) / 2)).padEnd(width)
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, i) => (i === 0 ? (cells[i] ?? '').padEnd(width) : middle(cells[i] ?? '', width))).join(' | ')} |`
  const rule = widths.map((width, i) =>
    i === 0 ? '-'.repeat(width) : `:${'-'.repeat(width - 2)}:`,
  )
  return [line(head), line(rule), ...body.map(line)]
}

const list = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ')

function installed(packageName: string): string {
  const manifest = readFileSync(path.join(packageRoot(packageName), 'package.json'), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}
