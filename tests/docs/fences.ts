/**
 * The fenced blocks of the pages for readers. A block's language says how it is tested:
 *
 *   bash, ts, python, php
 *                        a test runs it, in the order of its page
 *   bash background      it is started, and runs while the rest of its page does
 *   bash confirmed       a person confirms what its commands ask
 *   bash scheduled       its campaign is scheduled first
 *   bash operator        its commands have the settings of the service
 *   bash settings        its lines are settings that the service can start with
 *   ts browser           it drives a page of a browser
 *   yaml promtool        Prometheus takes it
 *   ts file=PATH         it equals that file, which has its own test
 *   bash by=PATH         that test runs it
 *   bash no-run: WHY     it is not run, by its nature, and a list here says so too
 *   json file-of=NAME    it is a file that this setting names
 *   json                 it must parse
 *   text                 output, diagrams, synopses; the same for a block without a
 *                        language, which must not contain a command
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

export const root = path.join(import.meta.dirname, '..', '..')

export interface Fence {
  page: string
  line: number
  language: string
  /** The text after the language: how the block is run, or why not. */
  note: string
  code: string
}

// docs/reference is generated, and its examples are run from their sources.
export const pages: readonly string[] = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'sdk/README.md',
  'cli/README.md',
  ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('reference'))
    .map((name) => path.join('docs', name))
    .sort(),
]

export const textOf = (page: string): string => readFileSync(path.join(root, page), 'utf8')

const fence = /^```([a-z]*)([^\n]*)\n(.*?)^```$/gms

export function fencesOf(page: string): Fence[] {
  const text = textOf(page)
  return [...text.matchAll(fence)].map(
    ({ 1: language = '', 2: note = '', 3: code = '', index }) => ({
      page,
      line: text.slice(0, index).split('\n').length,
      language,
      note: note.trim(),
      code,
    }),
  )
}

export const placeOf = ({ page, line }: Fence): string => `${page}:${line}`

/** Why it is not run; undefined if it is. */
export function whyNotRun({ note }: Fence): string | undefined {
  return /^no-run: (.+)$/.exec(note)?.[1]
}

/** The test that runs it instead. */
export function testOf({ note }: Fence): string | undefined {
  return /^by=(\S+)$/.exec(note)?.[1]
}

export function fileOf({ note }: Fence): string | undefined {
  return /^file=(\S+)$/.exec(note)?.[1]
}
