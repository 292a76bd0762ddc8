import { print } from '../../output/output.ts'
import { onServer } from '../../server.ts'

export async function listJobs(): Promise<void> {
  print(await onServer((server) => server.operate((operator) => operator.listDead())))
}

export async function releaseJobs(kind: string): Promise<void> {
  print(await onServer((server) => server.operate((operator) => operator.releaseDead(kind))))
}
