import type { Operation } from '../../core/operation.ts'
import type { Page } from '../blocks.ts'
import type { Site } from '../site.ts'
import { assistantsGuide } from './assistants.ts'
import { authenticationGuide } from './authentication.ts'
import { callsGuide } from './calls.ts'
import { cursorsGuide } from './cursors.ts'
import { errorsGuide } from './errors.ts'
import { firstMailGuide } from './first-mail.ts'
import { idempotencyGuide } from './idempotency.ts'
import { limitsGuide } from './limits.ts'
import { quickStartGuide } from './quick-start.ts'
import { sdksGuide } from './sdks.ts'
import { sendFromCodeGuide } from './send-from-code.ts'
import { versionsGuide } from './versions.ts'
import { webhooksGuide } from './webhooks.ts'

/** In reading order. */
export function guidesOf(catalog: readonly Operation[], site: Site): Page[] {
  return [
    firstMailGuide(site),
    quickStartGuide(site),
    sendFromCodeGuide(site),
    sdksGuide(site),
    authenticationGuide(site),
    callsGuide(site),
    errorsGuide(site),
    limitsGuide(),
    idempotencyGuide(site),
    cursorsGuide(site),
    webhooksGuide(catalog, site),
    versionsGuide(site),
    assistantsGuide(catalog, site),
  ]
}
