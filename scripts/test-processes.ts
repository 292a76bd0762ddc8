/** Which test files share a process, and of which file each of its tests is. */
import path from 'node:path'
import type { Outcome } from '../tests/support/outcomes-reporter.ts'

/**
 * Folders whose files open and close all that they use themselves, and how many of them share a
 * process: a process loads the service once (1.5 s of a processor) and starts one browser.
 */
export const sharingFolders: Readonly<Record<string, number>> = {
  'server/src/': 16,
  'cli/src/': 16,
  'sdk/src/': 16,
  'tests/assistant/': 4,
  'tests/attacks/': 6,
  'tests/contract/': 6,
  'tests/docs/': 5,
  'tests/e2e/app/': 4,
  'tests/e2e/': 4,
  'tests/imports/': 6,
  'tests/interop/': 5,
  'tests/mail/': 6,
  'tests/operations/': 5,
  'tests/returns/': 4,
  'tests/sms/': 3,
  'tests/submission/': 3,
  'tests/webhooks/': 4,
}

/** Files of these folders that have a process of their own, and why. */
export const alone: Readonly<Record<string, string>> = {
  'cli/src/webhooks/deliveries.test.ts': 'silences standard output, by which tests are reported',
  'server/src/idle.test.ts': 'counts the source that is loaded',
  'server/src/imports/doubled.test.ts': 'measures the memory of the process',
  'server/src/lib/threads/thread.test.ts': 'counts the threads of the process',
  'server/src/main.test.ts': 'starts the service as a process',
  'server/src/templates/idle.test.ts': 'waits until the threads of the process have ended',
  'server/src/traces/missing-packages.test.ts': 'hides packages from what is loaded after it',
  'tests/e2e/app/everywhere.test.ts': 'walks every page, which takes as long as several files',
  'tests/e2e/key-clients.test.ts': 'sets variables of the process',
  'tests/imports/hostile-files.test.ts': 'measures the memory of the process',
  'tests/imports/over-http.test.ts': 'measures the memory of the process',
  'tests/e2e/app/walk.test.ts': 'waits for a campaign in real time',
}

/** What takes longest comes first: if it began last, it would run alone at the end. */
const order = [
  'tests/bench/smallest.test.ts',
  'tests/e2e/app/',
  'tests/operations/',
  'tests/restore/',
  'tests/crash/',
  'tests/',
]

/** The files of each process, in the order in which the processes begin. */
export function sharedProcesses(
  files: readonly string[],
  { root, sharing }: { root: string; sharing: Readonly<Record<string, number>> },
): string[][] {
  const nameOf = (file: string) => path.relative(root, file)
  const folderOf = (file: string) =>
    nameOf(file) in alone
      ? undefined
      : Object.keys(sharing).find((folder) => nameOf(file).startsWith(folder))
  const groups = Object.entries(sharing).flatMap(([folder, most]) =>
    inEqualParts(
      files.filter((file) => folderOf(file) === folder),
      most,
    ),
  )
  const single = files.filter((file) => folderOf(file) === undefined).map((file) => [file])
  const place = ([file = '']: string[]) => {
    const found = order.findIndex((start) => nameOf(file).startsWith(start))
    return found < 0 ? order.length : found
  }
  return [...single, ...groups].toSorted((a, b) => place(a) - place(b))
}

function inEqualParts(files: readonly string[], most: number): string[][] {
  const count = Math.ceil(files.length / most)
  const start = (part: number) => Math.round((part * files.length) / count)
  return Array.from({ length: count }, (_, part) => files.slice(start(part), start(part + 1)))
}

/** A program that runs files one after the other: each is loaded when the one before has ended. */
export function sharingSource(files: readonly string[], root: string): string {
  const [only] = files
  if (files.length === 1) return `await import(${JSON.stringify(only)})\n`
  const entries = files.map((file) => [path.relative(root, file), file])
  return `import { suite } from 'node:test'
for (const [name, file] of ${JSON.stringify(entries)}) await suite(name, () => import(file))
`
}

export interface Told {
  outcomes: Outcome[]
  /** Files of a process that one of them ended, or what the last one left behind. */
  notEnded: string[]
}

/** What the runner told of the tests, as if each file had run in a process of its own. */
export function ofEachFile(
  told: readonly Outcome[],
  { programs, root }: { programs: ReadonlyMap<string, readonly string[]>; root: string },
): Told {
  const byProgram = Object.groupBy(told, ({ file }) => path.resolve(root, file))
  const each = Object.entries(byProgram).map(([program, ofProgram = []]): Told => {
    const files = programs.get(program) ?? [program]
    if (files.length > 1) return ofShared(ofProgram, { program, files, root })
    const [file = program] = files
    const named = (name: string) => (path.resolve(root, name) === program ? file : name)
    const outcomes = ofProgram.map((test) => ({ ...test, file, name: named(test.name) }))
    return { outcomes, notEnded: [] }
  })
  return {
    outcomes: each.flatMap(({ outcomes }) => outcomes),
    notEnded: each.flatMap(({ notEnded }) => notEnded),
  }
}

interface Shared {
  program: string
  files: readonly string[]
  root: string
}

/** There the runner tells a file like a test, after all tests in it. */
function ofShared(told: readonly Outcome[], { program, files, root }: Shared): Told {
  const outcomes: Outcome[] = []
  const ended = new Set<string>()
  let inside: Outcome[] = []
  for (const outcome of told) {
    const file = path.resolve(root, outcome.name)
    if (files.includes(file) && outcome.nesting === 0) {
      ended.add(file)
      const tests = inside.map((test) => ({ ...test, file, nesting: test.nesting - 1 }))
      outcomes.push(...tests)
      const isToldInside = tests.some(({ result }) => result === 'failed')
      if (outcome.result === 'failed' && !isToldInside) outcomes.push({ ...outcome, file })
      inside = []
    } else inside.push(outcome)
  }
  const left = files.filter((file) => !ended.has(file))
  // A process whose test waits for what nothing will do ends in order, and leaves files out.
  if (left.length > 0) return { outcomes, notEnded: left }
  // A process that ends early is told like a test as well.
  const isEndedEarly = inside.some(({ name }) => path.resolve(root, name) === program)
  return { outcomes, notEnded: isEndedEarly ? files.slice(-1) : [] }
}
