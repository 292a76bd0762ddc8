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

// Each figure is what is measured on a quiet machine, and for `lib` up to four files more: on a busy one a
// worker looks for jobs meanwhile, renews its shards, tells other processes, or exchanges its counts.
const ceilings: Record<MeasuredPath['name'], Ceiling> = {
  contactUpsert: { modules: { files: 31, lines: 1810 }, lib: { files: 17, lines: 880 } },
  hostedForm: { modules: { files: 29, lines: 2140 }, lib: { files: 15, lines: 800 } },
  // From its confirmation to its end. A node that notes that it runs falls into it now and then.
  importOfTwo: { modules: { files: 42, lines: 2780 }, lib: { files: 18, lines: 1300 } },
  contactPage: { modules: { files: 24, lines: 745 }, lib: { files: 11, lines: 500 } },
  webhookDelivery: { modules: { files: 12, lines: 590 }, lib: { files: 15, lines: 1090 } },
  campaignMail: { modules: { files: 37, lines: 1950 }, lib: { files: 31, lines: 1850 } },
  codeExchange: { modules: { files: 15, lines: 260 }, lib: { files: 7, lines: 320 } },
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
