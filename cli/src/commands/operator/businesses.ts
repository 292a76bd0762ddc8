import { orAsk } from '../../ask.ts'
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
