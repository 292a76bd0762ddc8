import { print } from '../../output/output.ts'
import { onServer } from '../../server.ts'

export async function migrate({ plan = false }: { plan?: boolean }): Promise<void> {
  if (plan) print({ pending: await onServer((server) => server.planOfMigrations()) })
  else print({ applied: await onServer((server) => server.applyMigrations()) })
}
