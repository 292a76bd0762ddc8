/** The samples of an operation: one call, in the three ways a reader may make it. */
import type { Operation } from '../../core/operation.ts'
import { type Code, code } from '../blocks.ts'
import type { ExampleIds } from '../examples/ids.ts'
import { exampleCall } from '../examples/inputs.ts'
import { sampleRequests } from '../routes.ts'
import type { Site } from '../site.ts'
import { cliSample } from './cli.ts'
import { curlSample } from './curl.ts'
import { typescriptSample } from './typescript.ts'

/** curl for each route. The SDK and the command line know the operation by its name. */
export function operationSamples(operation: Operation, site: Site, ids: ExampleIds = {}): Code[] {
  const input = exampleCall(operation, ids)
  const requests = sampleRequests(operation, ids)
  return [
    ...requests.map((request) => code('curl', curlSample(request, site.gatewayUrl))),
    code('typescript', typescriptSample(operation.name, input, site.appUrl)),
    code('cli', cliSample(operation, input)),
  ]
}
