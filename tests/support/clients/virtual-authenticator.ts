/** Chromium's authenticator in software, with a person who is recognised: a device with passkeys. */
import type { Page } from 'playwright-core'

export interface VirtualAuthenticator {
  /** Without a person nothing is answered by itself. */
  isPresent(enabled: boolean): Promise<unknown>
  /** How often its only passkey was used, as the device counts. */
  counter(): Promise<number>
  /** Puts back a copy of its only passkey, which has been used so often. */
  restoreCopy(counter: number): Promise<void>
}

export async function virtualAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const passkey = async () => {
    const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId })
    const [credential] = credentials
    if (!credential || credentials.length > 1) throw new Error(`${credentials.length} passkeys`)
    return credential
  }
  return {
    isPresent: (enabled) =>
      devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    counter: async () => (await passkey()).signCount,
    async restoreCopy(counter) {
      const credential = await passkey()
      const { credentialId } = credential
      await devtools.send('WebAuthn.removeCredential', { authenticatorId, credentialId })
      const copy = { ...credential, signCount: counter }
      await devtools.send('WebAuthn.addCredential', { authenticatorId, credential: copy })
    },
  }
}
