/** Every page of the reference, in the order in which it is read. */

import type { Operation } from '../../core/operation.ts'
import { eventTypes } from '../../events/catalog.ts'
import type { Page } from '../blocks.ts'
import { allCodes } from '../codes.ts'
import type { ExampleIds } from '../examples/ids.ts'
import { guidesOf } from '../guides/all.ts'
import type { Site } from '../site.ts'
import { errorPage } from './error.ts'
import { eventPage } from './event.ts'
import { eventsPage } from './events.ts'
import { indexPage } from './index-page.ts'
import { operationPage } from './operation.ts'

export function pagesOf(catalog: readonly Operation[], site: Site, ids: ExampleIds = {}): Page[] {
  return chaptersOf(catalog, site, ids).flatMap(({ pages }) => pages)
}

export interface Chapter {
  title: string
  pages: Page[]
}

export function chaptersOf(
  catalog: readonly Operation[],
  site: Site,
  ids: ExampleIds = {},
): Chapter[] {
  const guides = guidesOf(catalog, site)
  return [
    { title: 'Guides', pages: [indexPage(catalog, site, guides), ...guides] },
    { title: 'Operations', pages: catalog.map((operation) => operationPage(operation, site, ids)) },
    {
      title: 'Events',
      pages: [eventsPage(), ...eventTypes.map((event) => eventPage(event, site.slug))],
    },
    { title: 'Errors', pages: allCodes.map(errorPage) },
  ]
}
