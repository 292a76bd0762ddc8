/** Prints figures as a table, and writes the page in docs that contains them all. */
import { table } from '../../scripts/markdown.ts'
import type { Bench, Figure } from './bench.ts'

export interface Finished {
  bench: Bench
  figures: Figure[]
}

export function figureTable(figures: readonly Figure[]): string {
  return table(
    ['figure', 'value', 'target', ''],
    figures.map(({ name, value, target, met }) => [
      name,
      value,
      target ?? '',
      met === undefined ? '' : met ? 'met' : 'MISSED',
    ]),
  )
}

export function page(finished: readonly Finished[], machine: string, date: Date): string {
  const sections = finished.map(
    ({ bench, figures }) => `## ${bench.title}\n\n${bench.method}\n\n${figureTable(figures)}\n`,
  )
  return [
    '# Benchmarks',
    '',
    `Made by \`npm run bench -- --write\` on ${date.toISOString().slice(0, 10)}. Trust the ratios: each is taken within one run, against a baseline beside it. \`npm run bench -- --smallest\` runs each bench with sizes that mean nothing, only to see that it runs and ends; the tests do so.`,
    '',
    `Machine: ${machine}.`,
    '',
    sections.join('\n'),
  ].join('\n')
}
