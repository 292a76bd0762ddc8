/**
 * The number of files that a reader follows for the service's most frequent work, from its start to
 * its row: every file with a function that ran, counted while it is done once, warm. The figures
 * may only fall. `scripts/paths.ts` prints the files.
 */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { startCoverage } from './support/coverage.ts'
import type { MeasuredPath } from './support/measure.ts'

interface Ceiling {
  /** Files of the modules, and the lines that ran in them. */
  modules: { files: number; lines: number }
  /** The same for `lib/`. */
  lib: { files: number; lines: number }
}

// Topics, counted fields and pending consent raised the first by three files and 114 lines. On a
// busy machine a worker looks for jobs meanwhile, which adds one file of lib/.
// The reader of API keys, which submitted mail shares, added a few lines to the first, and the news for
// the workers of other processes four files of lib/. Counters of a campaign may be saved meanwhile,
// which adds two files to the last. Who stands on a list of suppressions or came back after an erasure
// is looked at before a person is saved: that added 40 lines to the first, and no file.
// Events of who leaves and returns are told apart from other changes in a few more.
// What each node does is counted for the page Status: a file of the modules more in the first two, and
// `lib/observing` in each, which traces use as well.
// The counters of usage may be saved meanwhile, which adds one file to the first.
// The latest calls of connections are kept in one file, and may be saved meanwhile by one more.
// Of six files that tell other workers, none runs where the last news went out a moment ago: the first
// figure has them.
// A worker's clock is watched for jumps (lib/time/steady-clock.ts), which adds one file of lib/ to each.
// First and last names, and which tools a client wants listed, added 45 lines to the first and no file.
// What a provider misses at the sender, whether the way of a campaign reports back, and the list fields of
// mail are read on the way of a campaign's mail. Two files of timers more are allowed for in each.
// What people are searched by is written by a job behind the save, which `contacts/search-index.ts` queues.
// What a connection reads in full and what is masked, and a yes that is said again, added a few lines and no file
// to the first and the third; the files of each, by modules and lib, came down to 42+23, 44+19, 62+30, 30+18, 11+20,
// 52+43 and 16+6, where 44, 45, 56, 32, 36, 66 and 25 together are wanted.
// People are found and named by a business's own id as well, and a no stays with an address that is given
// up: 60 lines in saving, none of them in a file of its own, and ten in the list.
// A list is told to tools in brief: three lines.
// An answer over REST gets null where it has nothing, and a tool call knows what its client can be asked: 75 lines
// in each call, and a file in the first, two in the import and one in the list.
// Whether the company's sign-in holds the connection is asked in each call, and a list in brief is one file.
const ceilings: Record<MeasuredPath['name'], Ceiling> = {
  contactUpsert: { modules: { files: 41, lines: 1810 }, lib: { files: 28, lines: 880 } },
  hostedForm: { modules: { files: 40, lines: 2120 }, lib: { files: 20, lines: 800 } },
  // From its confirmation to its end, with the worker's looking for jobs.
  importOfTwo: { modules: { files: 59, lines: 2760 }, lib: { files: 31, lines: 1300 } },
  contactPage: { modules: { files: 30, lines: 745 }, lib: { files: 19, lines: 500 } },
  // On a machine so busy that each delivery takes over a second, the worker heals its lanes, renews its
  // shards and exchanges counts beside every one: three files that no number of takes leaves out.
  webhookDelivery: { modules: { files: 15, lines: 560 }, lib: { files: 24, lines: 1090 } },
  // The choice of a relay, with its health, is two files more; the provider by MX is one.
  // On a busy machine some lines of a worker's looking for jobs are counted beside it.
  // Results by provider, and the holds that follow from them, are four files and 140 lines.
  // The UTM parameters of a campaign's links are read once, in two files of a few lines.
  campaignMail: { modules: { files: 55, lines: 1950 }, lib: { files: 43, lines: 1850 } },
  codeExchange: { modules: { files: 18, lines: 260 }, lib: { files: 8, lines: 320 } },
}

let paths: MeasuredPath[]
let measure: typeof import('./support/measure.ts')
before(async () => {
  const coverage = await startCoverage()
  // Imported only now, because coverage counts the sources that are loaded from here on.
  measure = await import('./support/measure.ts')
  paths = await measure.measurePaths(coverage)
})

for (const [name, ceiling] of Object.entries(ceilings)) {
  test(`${name} runs through no more files and lines of code than its ceiling`, () => {
    const path = paths.find((entry) => entry.name === name)
    assert.ok(path)
    for (const part of ['modules', 'lib'] as const) {
      const [files, lines] = [path[part].length, measure.linesOf(path[part])]
      const { files: mostFiles, lines: mostLines } = ceiling[part]
      const names = path[part].map(({ file }) => file).join('\n')
      assert.ok(files > 1 && files <= mostFiles, `${files} files of ${part}:\n${names}`)
      assert.ok(lines <= mostLines, `${lines} lines of ${part}:\n${names}`)
    }
  })
}
