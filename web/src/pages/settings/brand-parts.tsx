/** The header, the footer and the social addresses of a brand. */

import { useState } from 'react'
import type { SentBlock } from '../../parts/content/content.ts'
import { languages } from '../../parts/recipient-languages.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Checkbox, Input, Select, TextArea } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { brandWords } from '../../words/brand.ts'
import { language } from '../../words/texts.ts'
import type { Brand, BrandProps } from './brand-model.ts'

type Block = { type?: string; text?: string; align?: string; [field: string]: unknown }

const keysOf = (block: Block) => Object.keys(block).toSorted().join(' ')

export function Header({ brand, change }: BrandProps) {
  const { parts } = brandWords
  const header = brand.header as Block[]
  const [first] = header
  const align = first?.align ?? 'center'
  const isPlain =
    header.length === 1 && first?.type === 'logo' && ['align type', 'type'].includes(keysOf(first))
  if (first && !(isPlain && align !== 'right')) {
    return <OwnBlocks label={parts.header} onReplace={() => change({ header: null })} />
  }
  return (
    <Select
      label={parts.header}
      hint={parts.headerHint}
      options={Object.entries(parts.headers)}
      value={first ? align : 'none'}
      onChange={({ target }) =>
        change({
          header:
            target.value === 'none'
              ? null
              : ([{ type: 'logo', align: target.value }] as object[] as SentBlock[]),
        })
      }
    />
  )
}

export function Footer({ brand, change, fault }: BrandProps) {
  const { parts } = brandWords
  const footer = brand.footer as Block[]
  const text = footer.find(({ type }) => type === 'text')
  const icons = footer.find(({ type }) => type === 'social')
  const isPlain =
    footer.length === Number(text !== undefined) + Number(icons !== undefined) &&
    (!text || (keysOf(text) === 'align text type' && text.align === 'center')) &&
    (!icons || keysOf(icons) === 'type') &&
    (!text || footer[0] === text)
  if (!isPlain) return <OwnBlocks label={parts.footer} onReplace={() => change({ footer: null })} />
  const set = (written: string, hasIcons: boolean) => {
    const blocks = [
      ...(written === '' ? [] : [{ type: 'text', text: written, align: 'center' }]),
      ...(hasIcons ? [{ type: 'social' }] : []),
    ]
    change({ footer: blocks.length === 0 ? null : (blocks as object[] as SentBlock[]) })
  }
  return (
    <>
      <TextArea
        label={parts.footer}
        hint={parts.footerHint}
        value={text?.text ?? ''}
        onChange={({ target }) => set(target.value, icons !== undefined)}
        fault={fault('footer[0].text')}
      />
      <Checkbox
        label={parts.icons}
        checked={icons !== undefined}
        onChange={({ target }) => set(text?.text ?? '', target.checked)}
      />
    </>
  )
}

function OwnBlocks({ label, onReplace }: { label: string; onReplace: () => void }) {
  const { parts } = brandWords
  return (
    <div className="grid gap-1">
      <p className="text-sm font-medium">{label}</p>
      <div className="flex flex-wrap items-center gap-3 text-muted">
        {parts.own}
        <Button onClick={onReplace}>{parts.replace}</Button>
      </div>
    </div>
  )
}

const networks = [
  ['facebook', 'Facebook'],
  ['instagram', 'Instagram'],
  ['linkedin', 'LinkedIn'],
  ['youtube', 'YouTube'],
  ['tiktok', 'TikTok'],
  ['x', 'X'],
  ['pinterest', 'Pinterest'],
  ['whatsapp', 'WhatsApp'],
  ['mastodon', 'Mastodon'],
  ['bluesky', 'Bluesky'],
] as const
type Network = (typeof networks)[number][0]
const mostAddresses = 10

export function Social({ brand, change, fault }: BrandProps) {
  const { social: text } = brandWords
  const social = brand.social as { network: Network; url: string }[]
  const set = (index: number, part: Partial<Brand['social'][number]>) =>
    change({
      social: social.map((entry, n) =>
        n === index ? { ...entry, ...part } : entry,
      ) as typeof social,
    })
  return (
    <Card
      title={text.title}
      actions={
        social.length < mostAddresses && (
          <Button
            onClick={() =>
              change({ social: [...social, { network: 'instagram', url: 'https://' }] })
            }
          >
            {text.add}
          </Button>
        )
      }
    >
      <div className="grid gap-3">
        {social.map(({ network, url }, n) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: the same network may be there twice.
            key={n}
            className="grid grid-cols-[minmax(0,9rem)_minmax(0,1fr)_auto] items-end gap-2"
          >
            <Select
              label={text.network}
              options={networks}
              value={network}
              onChange={({ target }) => set(n, { network: target.value })}
            />
            <Input
              label={text.url}
              value={url}
              onChange={({ target }) => set(n, { url: target.value })}
              fault={fault(`social[${n}].url`)}
            />
            <IconButton
              icon="close"
              label={text.remove}
              onClick={() => change({ social: social.filter((_, index) => index !== n) })}
            />
          </div>
        ))}
      </div>
    </Card>
  )
}

type OwnWord = Brand['words'][number]
const wordNames = [
  'confirm_subject',
  'confirm_text',
  'confirm_button',
  'confirm_done',
  'unsubscribe',
  'view_link',
] as const

/** What recipients read in place of the service's words, one language at a time. */
export function RecipientTexts({ brand, change, fault }: BrandProps) {
  const { texts } = brandWords
  const [chosen, setChosen] = useState<OwnWord['language']>(language)
  const textOf = (name: OwnWord['name']) =>
    brand.words.find((word) => word.language === chosen && word.name === name)?.text
  const set = (name: OwnWord['name'], text: string | undefined) => {
    const others = brand.words.filter((word) => word.language !== chosen || word.name !== name)
    change({ words: text === undefined ? others : [...others, { language: chosen, name, text }] })
  }
  const faultOf = (name: OwnWord['name']) =>
    fault(
      `words[${brand.words.findIndex((word) => word.language === chosen && word.name === name)}].text`,
    )
  return (
    <Card title={texts.title}>
      <div className="grid gap-4">
        <p className="text-muted">{texts.about}</p>
        <Select
          label={texts.language}
          options={languages}
          value={chosen}
          onChange={({ target }) => setChosen(target.value as OwnWord['language'])}
        />
        {wordNames.map((name) => (
          <Input
            key={name}
            label={texts.names[name]}
            placeholder={texts.usual}
            maxLength={300}
            value={textOf(name) ?? ''}
            onChange={({ target }) => set(name, target.value === '' ? undefined : target.value)}
            fault={faultOf(name)}
          />
        ))}
        <Checkbox
          label={texts.names.sent_with}
          hint={texts.sentWithHint}
          checked={textOf('sent_with') !== ''}
          onChange={({ target }) => set('sent_with', target.checked ? undefined : '')}
        />
      </div>
    </Card>
  )
}
