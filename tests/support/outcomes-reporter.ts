/**
 * A reporter of Node's test runner that writes one line of JSON for each finished test, read by
 * `scripts/test.ts`, which runs red files again and lists the slowest tests.
 */
import type { TestEvent } from 'node:test/reporters'

export interface Outcome {
  /** Absolute path of the file that was run; the test may be written in one that it imports. */
  file: string
  name: string
  /** 0 for a test of the file itself, 1 and more for tests within tests. */
  nesting: number
  milliseconds: number
  result: 'passed' | 'failed' | 'skipped'
}

type Location = Extract<TestEvent, { type: 'test:pass' }>['data'] & { entryFile?: string }

export default async function* outcomesReporter(
  events: AsyncIterable<TestEvent>,
): AsyncGenerator<string> {
  for await (const event of events) {
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue
    // Node's types do not have `entryFile` yet.
    const { name, file, entryFile, nesting, details }: Location = event.data
    const skipped = event.data.skip !== undefined && event.data.skip !== false
    const outcome: Outcome = {
      // A file that ends before its tests do is reported under its own path.
      file: entryFile ?? file ?? name,
      name,
      nesting,
      milliseconds: Math.round(details.duration_ms),
      result: skipped ? 'skipped' : event.type === 'test:pass' ? 'passed' : 'failed',
    }
    yield `${JSON.stringify(outcome)}\n`
  }
}
