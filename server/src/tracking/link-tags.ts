/** Adds a campaign's UTM parameters to the links of its mail, tracked and untracked. */

import { type Utm, urlTagger } from '../core/utm.ts'
import { setNewest } from '../lib/concurrency/set-newest.ts'
import { type Link, linkTo } from './link.ts'

export type TagLink = (link: Link) => Link

const taggers = new Map<string, TagLink>()
const mostTaggers = 100

/**
 * The links of a template are the same objects in all its messages, so each is tagged and hashed
 * once for a campaign.
 */
export function linkTagger(utm: Utm, ownHosts: readonly string[]): TagLink {
  const name = JSON.stringify([utm, ownHosts])
  const cached = taggers.get(name)
  if (cached) return cached
  const tagUrl = urlTagger(utm, ownHosts)
  const tagged = new WeakMap<Link, Link>()
  const tag: TagLink = (link) => {
    const cached = tagged.get(link)
    if (cached) return cached
    const url = tagUrl(link.url)
    const taggedLink = url === link.url ? link : (linkTo(url) ?? link)
    tagged.set(link, taggedLink)
    return taggedLink
  }
  setNewest(taggers, [name, tag], mostTaggers)
  return tag
}
