import { print } from '../../output/output.ts'
import { onServer } from '../../server.ts'

/** Always prints plain text, so that it can be redirected into a zone file. */
export async function printZone(): Promise<void> {
  const zone = await onServer((server) => server.operate((operator) => operator.printZone()))
  process.stdout.write(zone)
}

export async function changeKey(domain: string): Promise<void> {
  print(await onServer((server) => server.operate((operator) => operator.changeKey(domain))))
}

export async function listVolumes(): Promise<void> {
  print(await onServer((server) => server.operate(({ volumes }) => volumes.list())))
}

export async function approveVolume(domain: string, wanted: { perDay?: string }): Promise<void> {
  print(
    await onServer((server) => server.operate(({ volumes }) => volumes.approve(domain, wanted))),
  )
}

export async function refuseVolume(domain: string, wanted: { answer?: string }): Promise<void> {
  print(await onServer((server) => server.operate(({ volumes }) => volumes.refuse(domain, wanted))))
}

export async function withdrawVolume(domain: string, wanted: { answer?: string }): Promise<void> {
  print(
    await onServer((server) => server.operate(({ volumes }) => volumes.withdraw(domain, wanted))),
  )
}
