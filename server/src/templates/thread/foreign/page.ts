/**
 * The elements of a stranger's mail, and what is within each, counted once from the inside out. A
 * page nested deeper than any mail is refused, so that what reads it may call itself for each level.
 */
import { type AnyNode, type Document, type Element, isTag, isText } from 'domhandler'
import { parseDocument } from 'htmlparser2'
import { SourceError, tooDeep } from '../source-error.ts'

/** Levels of elements. Mails of tables within tables have 40. */
const deepest = 150

interface Inside {
  /** Characters outside of links, without spaces. */
  words: number
  links: number
  /** Links to profiles in social networks. */
  profiles: number
  images: number
  tables: number
}

const nothing = (): Inside => ({ words: 0, links: 0, profiles: 0, images: 0, tables: 0 })

export interface Page {
  root: Document
  inside(node: AnyNode): Inside
}

/** What is never shown, and what only programs read. */
const unseen = new Set([
  'script',
  'style',
  'head',
  'meta',
  'link',
  'noscript',
  'template',
  'object',
  'embed',
  'iframe',
  'svg',
  'math',
  'canvas',
  'audio',
  'video',
  'select',
  'input',
  'textarea',
  'datalist',
  'title',
  'mj-head',
  'mj-include',
])

export const isUnseen = (name: string) => unseen.has(name)

export function pageOf(source: string, isMjml: boolean): Page {
  const root = parseDocument(source, { recognizeSelfClosing: isMjml, decodeEntities: true })
  const counts = new WeakMap<AnyNode, Inside>()
  // Depth first with a list of its own: a call for each level would end the thread.
  const open: { node: AnyNode; level: number; isLeft: boolean }[] = [
    { node: root, level: 0, isLeft: false },
  ]
  for (let step = open.pop(); step; step = open.pop()) {
    const { node, level, isLeft } = step
    const children = 'children' in node ? node.children : []
    if (isLeft) {
      counts.set(node, countOf(node, children, counts))
      continue
    }
    if (level > deepest) throw new SourceError(isMjml ? 'mjml' : 'html', tooDeep)
    open.push({ node, level, isLeft: true })
    for (const child of 'children' in node ? node.children : []) {
      open.push({ node: child, level: level + 1, isLeft: false })
    }
  }
  return { root, inside: (node) => counts.get(node) ?? nothing() }
}

function countOf(
  node: AnyNode,
  children: readonly AnyNode[],
  counts: WeakMap<AnyNode, Inside>,
): Inside {
  const sum = nothing()
  if (isText(node)) {
    sum.words = withoutUnseen(node.data).replaceAll(' ', '').length
    return sum
  }
  if (isTag(node) && (isUnseen(node.name) || isHidden(node))) return sum
  for (const child of children) {
    const inside = counts.get(child)
    if (!inside) continue
    for (const key of Object.keys(sum) as (keyof Inside)[]) sum[key] += inside[key]
  }
  if (!isTag(node)) return sum
  if (isPicture(node)) sum.images++
  if (node.name === 'table') sum.tables++
  const isLink = node.name === 'a' || node.name === 'mj-social-element'
  if (isLink) {
    sum.links++
    if (networkOf(node.attribs['href'] ?? '') !== undefined) sum.profiles++
    sum.words = 0
  }
  if (node.name === 'mj-button') sum.links++
  return sum
}

/** Spaces as a browser shows them, without the signs with which previews are filled. */
export const withoutUnseen = (text: string) =>
  text.replace(/\u034f|\u200b|\ufeff/g, '').replace(/[\s\u00a0]+/g, ' ')

/** Not what only counts opens or makes room. */
export function isPicture({ name, attribs }: Element): boolean {
  if (name !== 'img' && name !== 'mj-image') return false
  const size = (value: string | undefined) =>
    value === undefined ? 99 : Number.parseInt(value, 10)
  const styles = stylesOf(attribs)
  return (
    size(attribs['width'] ?? styles.get('width')) > 3 &&
    size(attribs['height'] ?? styles.get('height')) > 3
  )
}

/** What its attribute of styles says, the last of each name. */
export function stylesOf(attribs: Readonly<Record<string, string>>): Map<string, string> {
  const declarations = (attribs['style'] ?? '').toLowerCase().split(';')
  return new Map(
    declarations.map((declaration) => {
      const colon = declaration.indexOf(':')
      const name = declaration.slice(0, Math.max(colon, 0)).trim()
      return [
        name,
        declaration
          .slice(colon + 1)
          .replace('!important', '')
          .trim(),
      ] as const
    }),
  )
}

/** Such as the line that is shown beside the subject. */
export function isHidden({ attribs }: Element): boolean {
  const styles = stylesOf(attribs)
  return (
    Object.hasOwn(attribs, 'hidden') ||
    styles.get('display') === 'none' ||
    styles.get('mso-hide') === 'all' ||
    styles.get('visibility') === 'hidden' ||
    /^0(?:px)?$/.test(styles.get('max-height') ?? '')
  )
}

const hosts: Readonly<Record<string, string>> = {
  'facebook.com': 'facebook',
  'fb.com': 'facebook',
  'instagram.com': 'instagram',
  'linkedin.com': 'linkedin',
  'youtube.com': 'youtube',
  'youtu.be': 'youtube',
  'tiktok.com': 'tiktok',
  'x.com': 'x',
  'twitter.com': 'x',
  'pinterest.com': 'pinterest',
  'whatsapp.com': 'whatsapp',
  'wa.me': 'whatsapp',
  'mastodon.social': 'mastodon',
  'bsky.app': 'bluesky',
}

/** The network to whose page the address leads. */
export function networkOf(href: string): string | undefined {
  const host = /^https?:\/\/([^/?#:@]{1,253})/i.exec(href.trim())?.[1]?.toLowerCase()
  if (host === undefined) return undefined
  const parts = host.split('.')
  const name = parts.slice(-2).join('.')
  return Object.hasOwn(hosts, name) ? hosts[name] : undefined
}
