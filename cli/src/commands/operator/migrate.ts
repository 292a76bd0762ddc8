import { print } from '../../output/output.ts'
import { onServer } from '../../server.ts'

export async function migrate(): Promise<void> {
  print({ applied: await onServer((server) => server.applyMigrations()) })
}
