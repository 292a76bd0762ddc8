import { askPassphrase, orAsk } from '../../ask.ts'
import { print } from '../../output/output.ts'
import { onServer } from '../../server.ts'

export interface NewBusiness {
  name?: string
  owner?: string
  tier?: string
  deployLimit?: string
}

export async function createBusiness(options: NewBusiness): Promise<void> {
  const name = await orAsk(options.name, { option: '--name', message: 'Name of the business' })
  const owner = await orAsk(options.owner, { option: '--owner', message: "Owner's email address" })
  const wanted = { ...options, name, owner }
  const create = { creates: true }
  print(
    await onServer((server) =>
      server.operate((operator) => operator.createBusiness(wanted), undefined, create),
    ),
  )
}

export async function listBusinesses(): Promise<void> {
  print(await onServer((server) => server.operate((operator) => operator.listBusinesses())))
}

export async function setBusiness(id: string, key: string, value: string): Promise<void> {
  print(
    await onServer((server) => server.operate((operator) => operator.setBusiness(id, key, value))),
  )
}

export async function closeBusiness(
  id: string,
  options: { keepSuppressions?: boolean },
): Promise<void> {
  print(await onServer((server) => server.operate(({ closings }) => closings.close(id, options))))
}

export async function reopenBusiness(id: string): Promise<void> {
  print(await onServer((server) => server.operate(({ closings }) => closings.takeBack(id))))
}

export async function listClosings(): Promise<void> {
  print(await onServer((server) => server.operate(({ closings }) => closings.list())))
}

export async function exportBusiness(id: string, file: string): Promise<void> {
  const passphrase = await askMovePassphrase()
  const moving = { passphrase, onProgress: progress() }
  print(await onServer((server) => server.operate(({ moves }) => moves.export(id, file, moving))))
}

export async function importBusiness(
  file: string,
  { owner: named }: { owner?: string },
): Promise<void> {
  const owner = await orAsk(named, { option: '--owner', message: "Owner's email address" })
  const passphrase = await askMovePassphrase()
  const moving = { passphrase, owner, onProgress: progress() }
  const create = { creates: true }
  print(
    await onServer((server) =>
      server.operate(({ moves }) => moves.import(file, moving), undefined, create),
    ),
  )
}

const askMovePassphrase = () => askPassphrase('Passphrase that seals the file', 'MOVE_PASSPHRASE')

/** Where the command is, on a terminal. */
function progress(): (progress: { table: string; rows: number }) => void {
  let last = 0
  return ({ table, rows }) => {
    if (!process.stderr.isTTY || Date.now() - last < 200) return
    last = Date.now()
    process.stderr.write(`\r\u001b[K${table}: ${rows}`)
  }
}
