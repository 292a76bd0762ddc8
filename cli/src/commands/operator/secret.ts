import { print } from '../../output/output.ts'
import { onServer } from '../../server.ts'

export async function rotateSecret(): Promise<void> {
  print(await onServer((server) => server.operate((operator) => operator.rotateSecret())))
}

export async function finishSecret(): Promise<void> {
  print(await onServer((server) => server.operate((operator) => operator.finishSecret())))
}
