import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { type Cell, type ClientRow, type Step, steps } from './steps.ts'

/** Exactly the steps that the matrix calls done: a mismatch with the runs is a type error. */
type Runs<Row extends ClientRow> = {
  [S in Step as Row['cells'][S] extends { readonly done: string } ? S : never]: () => Promise<void>
}

const isDone = (cell: Cell): boolean => 'done' in cell

/**
 * Runs a client's steps in order, each as a test of its own. A step depends on those before it, so
 * the rest are not tried after a failure.
 */
export async function runSteps<Row extends ClientRow>(
  t: TestContext,
  row: Row,
  runs: Runs<Row>,
): Promise<void> {
  const given = runs as Partial<Record<Step, () => Promise<void>>>
  assert.deepEqual(
    steps.filter((step) => given[step]),
    steps.filter((step) => isDone(row.cells[step])),
    'the matrix and the driver name the same steps',
  )
  let failed = false
  for (const step of steps) {
    const run = given[step]
    if (!run || failed) continue
    await t.test(`${row.name}: ${step}`, async () => {
      failed = true
      await run()
      failed = false
    })
  }
}
