/** A call as a complete program that uses the SDK. */
import { sdkPackage } from '../packages.ts'
import { print, typescript } from './print.ts'

export function typescriptSample(
  name: string,
  input: Record<string, unknown>,
  url: string,
): string {
  const given = Object.keys(input).length > 0 ? print(input, typescript) : ''
  return `import { createClient, sealedFile } from '${sdkPackage}'

const client = createClient({
  url: ${print(url, typescript)},
  store: sealedFile({ file: '.crier/connection' }),
})

const answer = await client.${name}(${given})
console.log(answer)`
}
