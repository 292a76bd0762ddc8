import { print } from '../../output/output.ts'
import { onServer } from '../../server.ts'

export interface DistributeOptions {
  plan?: boolean
  shards?: string
}

export async function distribute({ plan = false, shards }: DistributeOptions): Promise<void> {
  print(
    await onServer((server) =>
      plan
        ? server.planOfDistribution()
        : server.operate(({ distribution }) => distribution.run({ shards, onStep: showStep })),
    ),
  )
}

export async function placeBusiness(id: string, node: string): Promise<void> {
  print(
    await onServer((server) => server.operate(({ distribution }) => distribution.place(id, node))),
  )
}

interface Progress {
  step: { step: string; table: string }
  done: number
  ofSteps: number
}

/** One line for each step, to standard error. */
function showStep({ step, done, ofSteps }: Progress): void {
  process.stderr.write(`[${done + 1}/${ofSteps}] ${step.step}: ${step.table}\n`)
}
