/** How the business looks: logo, colours, font, header and footer, with a preview beside them. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { ForDevelopers } from '../../parts/for-developers.tsx'
import { DropPicture } from '../../parts/pictures/drop-picture.tsx'
import { useUnsaved } from '../../parts/use-unsaved.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, Input, Select, TextArea } from '../../ui/field.tsx'
import { Body, Card, Page } from '../../ui/page.tsx'
import { Failure, faultOf, Skeleton } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { brandWords } from '../../words/brand.ts'
import { settingsWords } from '../../words/settings.ts'
import { words } from '../../words/words.ts'
import { BrandColours } from './brand-colours.tsx'
import type { Brand, BrandChanges, BrandProps, Logo } from './brand-model.ts'
import { Footer, Header, RecipientTexts, Social } from './brand-parts.tsx'
import { BrandPreview } from './brand-preview.tsx'
import { FromSite } from './brand-site.tsx'

export function BrandPage() {
  const business_id = useBusinessId()
  const { data, error, refetch } = useQuery({
    queryKey: ['brand.get', business_id],
    queryFn: ({ signal }) => api.brand.get({ business_id }, { signal }),
  })
  return (
    <Page title={brandWords.title} actions={data && <ForDevelopers value={data} />}>
      <Body>
        {error && <Failure error={error} onRetry={() => void refetch()} />}
        {data ? <BrandForm key={business_id} stored={data} /> : !error && <Skeleton lines={9} />}
      </Body>
    </Page>
  )
}

/** Milliseconds after the last key before the preview is made anew. */
const restMs = 400

function BrandForm({ stored }: { stored: Brand }) {
  const { business_id } = stored
  const isOwner = useMay('owner')
  const client = useQueryClient()
  const [changes, setChanges] = useUnsaved<BrandChanges>(`brand ${business_id}`, {})
  const [rested, setRested] = useState(changes)
  useEffect(() => {
    const timer = setTimeout(() => setRested(changes), restMs)
    return () => clearTimeout(timer)
  }, [changes])
  const isChanged = Object.keys(changes).length > 0
  const preview = useQuery({
    queryKey: ['brand.preview', business_id, stored, rested],
    queryFn: ({ signal }) =>
      api.brand.set(
        { business_id, tone: stored.tone, ...whole(rested), dry_run: true },
        { signal },
      ),
    enabled: isOwner,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const save = useMutation({
    mutationFn: () => api.brand.set({ business_id, ...changes }),
    onSuccess: (saved) => {
      client.setQueryData(['brand.get', business_id], saved)
      void client.invalidateQueries({ queryKey: ['business.get', business_id] })
      setChanges({})
      tell(brandWords.saved)
    },
  })
  const shown = preview.data ?? stored
  const brand: Brand = { ...stored, ...withoutNull(changes) } as Brand
  const fault = faultOf(save.error ?? preview.error)
  const change = (part: BrandChanges) => setChanges({ ...changes, ...part })
  const props: BrandProps = { brand, stored, change, fault }
  return (
    <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
      <form
        className="grid min-w-0 content-start gap-6"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <p className="text-muted">{brandWords.about}</p>
        <fieldset disabled={!isOwner} className="contents">
          {isOwner && (
            <FromSite
              {...{ brand, change }}
              onLogo={(picture) => change({ logo: { image_id: picture.image_id } })}
            />
          )}
          <LogoCard {...props} shownLogo={preview.data?.logo ?? stored.logo} />
          <BrandColours {...props} contrast={shown.contrast} />
          <Look {...props} />
          <Card title={brandWords.parts.title}>
            <div className="grid gap-4">
              <Header {...props} />
              <Footer {...props} />
            </div>
          </Card>
          <Social {...props} />
          <Tone {...props} />
          <RecipientTexts {...props} />
          <Locks {...props} />
        </fieldset>
        {save.error && <Failure error={save.error} />}
        {isOwner ? (
          <div className="flex flex-wrap justify-end gap-2">
            {isChanged && <Button onClick={() => setChanges({})}>{words.cancel}</Button>}
            <Button look="main" type="submit" busy={save.isPending} disabled={!isChanged}>
              {words.save}
            </Button>
          </div>
        ) : (
          <p className="text-muted">{settingsWords.onlyOwners}</p>
        )}
      </form>
      <BrandPreview brand={shown} html={preview.data?.preview} />
    </div>
  )
}

/** Without what is typed halfway, such as a colour of two digits. */
function whole({ colours, social, logo, ...changes }: BrandChanges): BrandChanges {
  return {
    ...changes,
    ...(colours && { colours: colours.filter(({ value }) => value.length === 7) }),
    ...(social && { social: social.filter(({ url }) => URL.canParse(url)) }),
    ...(logo !== undefined && {
      logo: logo && {
        ...logo,
        link: logo.link !== undefined && URL.canParse(logo.link) ? logo.link : undefined,
      },
    }),
  } as BrandChanges
}

/** What is removed shows as it would without a setting. */
function withoutNull(changes: BrandChanges): object {
  const usual: Record<string, unknown> = { font: 'system', radius: 8, header: [], footer: [] }
  return Object.fromEntries(
    Object.entries(changes).map(([key, value]) => [key, value ?? usual[key] ?? null]),
  )
}

function LogoCard({ brand, change, fault, shownLogo }: BrandProps & { shownLogo: Brand['logo'] }) {
  const { logo: text } = brandWords
  // The answer knows the addresses of pictures; a change names them by id alone.
  const logo = brand.logo as Logo | null
  const [urls, setUrls] = useState<Record<string, string>>({})
  const urlOf = (id: string | undefined, url: string | undefined) =>
    id === undefined ? '' : (urls[id] ?? url ?? answered(id))
  /** From the last answer of the server, for a picture that another card took. */
  const answered = (id: string) =>
    (shownLogo?.image_id === id && shownLogo.url) ||
    (shownLogo?.dark_image_id === id && shownLogo.dark_url) ||
    ''
  const set = (part: Partial<Logo>) => {
    if (!logo && part.image_id === undefined) return
    const { image_id, dark_image_id, alt, link, width } = { ...logo, ...part } as Logo
    change({
      logo: {
        image_id,
        ...(dark_image_id && { dark_image_id }),
        ...(alt && { alt }),
        ...(link && { link }),
        ...(width && { width }),
      },
    })
  }
  const take =
    (field: 'image_id' | 'dark_image_id') => (picture: { image_id: string; url: string }) => {
      setUrls({ ...urls, [picture.image_id]: picture.url })
      set({ [field]: picture.image_id })
    }
  return (
    <Card
      title={text.title}
      actions={logo && <Button onClick={() => change({ logo: null })}>{text.remove}</Button>}
    >
      <div className="grid gap-4">
        <DropPicture src={urlOf(logo?.image_id, logo?.url)} onPicture={take('image_id')} />
        {fault('logo.image_id') && <p className="text-sm text-bad">{fault('logo.image_id')}</p>}
        {logo && (
          <>
            <div className="grid gap-4 sm:grid-cols-2">
              <Input
                label={text.alt}
                hint={text.altHint}
                value={logo.alt ?? ''}
                onChange={({ target }) => set({ alt: target.value })}
                fault={fault('logo.alt')}
              />
              <Input
                label={text.link}
                hint={text.linkHint}
                value={logo.link ?? ''}
                onChange={({ target }) => set({ link: target.value })}
                fault={fault('logo.link')}
              />
              <Input
                label={text.width}
                type="number"
                min={16}
                max={300}
                value={logo.width ?? 140}
                onChange={({ target }) => set({ width: Number(target.value) })}
                fault={fault('logo.width')}
              />
            </div>
            <div className="grid gap-2">
              <p className="text-sm font-medium">{text.dark}</p>
              <DropPicture
                src={urlOf(logo.dark_image_id, logo.dark_url)}
                onPicture={take('dark_image_id')}
              />
              <div className="flex flex-wrap items-center gap-3 text-sm text-muted">
                {text.darkHint}
                {logo.dark_image_id && (
                  <Button onClick={() => set({ dark_image_id: '' })}>{text.removeDark}</Button>
                )}
              </div>
            </div>
          </>
        )}
      </div>
    </Card>
  )
}

function Look({ brand, change, fault }: BrandProps) {
  const { look } = brandWords
  const fonts = Object.entries(look.fonts)
  return (
    <Card title={look.title}>
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          label={look.font}
          options={fonts}
          value={brand.font}
          onChange={({ target }) => change({ font: target.value as Brand['font'] })}
        />
        <Input
          label={look.radius}
          type="number"
          min={0}
          max={24}
          value={brand.radius}
          onChange={({ target }) => change({ radius: Number(target.value) })}
          fault={fault('radius')}
        />
      </div>
    </Card>
  )
}

function Tone({ brand, change, fault }: BrandProps) {
  const { tone } = brandWords
  return (
    <Card title={tone.title}>
      <TextArea
        label={tone.label}
        hint={tone.hint}
        rows={2}
        maxLength={300}
        value={brand.tone ?? ''}
        onChange={({ target }) => change({ tone: target.value === '' ? null : target.value })}
        fault={fault('tone')}
      />
    </Card>
  )
}

function Locks({ brand, change }: BrandProps) {
  const { locks } = brandWords
  const parts = ['footer', 'logo', 'colours'] as const
  return (
    <Card title={locks.title}>
      <div className="grid gap-3">
        <p className="text-muted">{locks.about}</p>
        {parts.map((part) => (
          <Checkbox
            key={part}
            label={locks.parts[part]}
            checked={brand.locked.includes(part)}
            onChange={({ target }) =>
              change({
                locked: parts.filter((name) =>
                  name === part ? target.checked : brand.locked.includes(name),
                ),
              })
            }
          />
        ))}
      </div>
    </Card>
  )
}
