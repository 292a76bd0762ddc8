/** Every file that is derived from the server's own definitions. */
import { cliCommands } from './cli-commands.ts'
import { cliSamples } from './cli-samples.ts'
import { openApi } from './openapi.ts'
import { referenceFiles, referenceFolder } from './reference.ts'
import { sdkEvents } from './sdk-events.ts'
import { sdkOperations } from './sdk-operations.ts'
import { sdkRoutes } from './sdk-routes.ts'
import { webOperations } from './web-operations.ts'

export const definitionFiles: { path: string; make: () => Promise<string> }[] = [
  { path: 'sdk/src/generated/operations.ts', make: sdkOperations },
  { path: 'sdk/src/generated/events.ts', make: sdkEvents },
  { path: 'sdk/src/generated/routes.ts', make: sdkRoutes },
  { path: 'web/src/generated/operations.ts', make: webOperations },
  { path: 'cli/src/generated/commands.ts', make: cliCommands },
  { path: 'cli/src/generated/event-samples.ts', make: cliSamples },
  { path: `${referenceFolder}/openapi.json`, make: openApi },
  ...referenceFiles,
]
