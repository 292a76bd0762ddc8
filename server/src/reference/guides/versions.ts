import { version } from '../../version.ts'
import { heading, list, type Page, text } from '../blocks.ts'
import { callSamples } from '../samples/operation.ts'
import type { Site } from '../site.ts'

export function versionsGuide(site: Site): Page {
  return {
    path: 'guides/versions',
    title: 'Versions',
    about: `What may change between two releases, and what never does. This is the reference of ${version}.`,
    keywords: 'breaking changes deprecation changelog status compatibility',
    blocks: [
      heading('What stays'),
      list(
        'Paths begin with `/v1`, and names of tools have a `v1`. Within `v1` nothing is taken away or renamed, and no field changes its meaning, before it was announced for six months: as `deprecations` in [meta.capabilities](operations/meta.capabilities), and in the [changelog](/docs/changelog), where what programs must follow is marked **Changes**.',
        'The statuses and meanings of error codes, the form of events and the headers of webhooks stay as they are.',
      ),
      heading('What may be added'),
      list(
        'Operations, optional fields of calls, fields of answers, event types, error codes, values of a `status` in answers.',
        'So ignore fields that you do not know, skip events of a type that you do not know, and treat an unknown error code by its status.',
      ),
      heading('Which release runs here'),
      text(
        '[meta.capabilities](operations/meta.capabilities) answers with `version` and `release`, and `GET /healthz` tells whether the service runs. The [changelog](/docs/changelog) has what each release brought, also as a feed for readers of RSS.',
      ),
      ...callSamples(
        {
          name: 'meta.capabilities',
          input: {},
          request: { method: 'GET', path: '/v1/capabilities', body: undefined },
          cli: 'meta capabilities',
        },
        site,
      ),
    ],
  }
}
