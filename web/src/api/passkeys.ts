/** Passkeys in this browser (WebAuthn): they are made and used here, and checked by the service. */
import { api } from './client.ts'

type Factory = Partial<
  Pick<typeof PublicKeyCredential, 'parseCreationOptionsFromJSON' | 'parseRequestOptionsFromJSON'>
>

const factory = (): Factory | undefined =>
  (window as { PublicKeyCredential?: Factory }).PublicKeyCredential

/** Whether this browser can do both; browsers before 2025 sign in by mail. */
export const hasPasskeys = (): boolean =>
  factory()?.parseCreationOptionsFromJSON !== undefined &&
  factory()?.parseRequestOptionsFromJSON !== undefined

/** Has the browser make a passkey, and stores it; returns recovery codes with the first factor. */
export async function addPasskey(name: string): Promise<string[] | undefined> {
  const { options } = await api.passkey.start({ purpose: 'add' })
  const publicKey = factory()?.parseCreationOptionsFromJSON?.(JSON.parse(options ?? 'null'))
  if (!publicKey) return undefined
  const credential = textOf(await navigator.credentials.create({ publicKey }))
  const { recovery_codes } = await api.passkey.add({ name, credential })
  return recovery_codes ?? undefined
}

/** Has the person use a passkey, so that what asks for a recent sign-in can be done. */
export async function confirmWithPasskey(): Promise<void> {
  const { options } = await api.passkey.start({ purpose: 'confirm' })
  const publicKey = factory()?.parseRequestOptionsFromJSON?.(JSON.parse(options ?? 'null'))
  if (!publicKey) return
  await api.passkey.confirm({
    credential: textOf(await navigator.credentials.get({ publicKey })),
  })
}

function textOf(credential: Credential | null): string {
  return JSON.stringify((credential as PublicKeyCredential | null)?.toJSON())
}

/** The person closed the browser's window for passkeys, or waited too long. */
export const isPasskeyCancelled = (error: unknown): boolean =>
  error instanceof DOMException && ['NotAllowedError', 'AbortError'].includes(error.name)

/** The authenticator has a passkey of this person already. */
export const isPasskeyKnown = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'InvalidStateError'
