/**
 * Generates docs/design/interop.md from the tables that the tests check: a cell cannot claim what
 * no test saw.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { packageRoot } from '../support/processes/client-process.ts'
import { clients } from './clients.ts'
import {
  authorizationScenarios,
  baseline,
  passes,
  revisions,
  skippedBySuite,
} from './conformance-baseline.ts'
import { type Cell, type ClientRow, meaningOf, type Step, steps } from './steps.ts'

/** The page's path from the root of the repository. */
export const pagePath = 'docs/design/interop.md'

const rows: readonly ClientRow[] = Object.values(clients)

export function interopPage(): string {
  return `${[heading, ...matrix(), ...evidence(), ...conformance()].join('\n')}\n`
}

const heading = `# Software that no one here wrote

This page is generated from the tables in \`tests/interop/\`, and those are held by the tests beside
them: a step is called done where a test ran it against the whole service, with a real
database, over HTTP. \`npm run generate\` writes it.
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
    '## What was seen',
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

function conformance(): string[] {
  const version = installed('@modelcontextprotocol/conformance')
  const scenarios = [...new Set(revisions.flatMap((revision) => passes[revision]))].sort()
  const cell = (scenario: string, revision: (typeof revisions)[number]) =>
    passes[revision].includes(scenario) ? '●' : ''
  return [
    `## Conformance suite (${version})`,
    '',
    'Server scenarios that pass; an empty cell means that the scenario does not exist at that',
    'revision, or stands in the list below.',
    '',
    ...table(
      ['Scenario', ...revisions],
      scenarios.map((one) => [one, ...revisions.map((revision) => cell(one, revision))]),
    ),
    '',
    `Authorization-server scenarios that pass: ${list(authorizationScenarios)}.`,
    '',
    `Scenarios that the suite itself skips after asking the server: ${list(skippedBySuite)}.`,
    '',
    '### What does not apply',
    '',
    'By name, with the reason. The test fails where one of these starts to pass.',
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
