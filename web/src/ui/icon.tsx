/** Icons of 16 px, drawn with one stroke. They accompany words and have no label of their own. */
const paths = {
  home: 'M2.5 7 8 2.5 13.5 7v6a.5.5 0 0 1-.5.5h-3v-4H6v4H3a.5.5 0 0 1-.5-.5z',
  people:
    'M6 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zm-4.5 5.5c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M11 3.2a2.5 2.5 0 0 1 0 4.6m1.2 2c1.4.6 2.3 1.9 2.3 3.7',
  person: 'M8 8a2.75 2.75 0 1 0 0-5.5A2.75 2.75 0 0 0 8 8zm-5 5.5c0-2.6 2.2-4 5-4s5 1.4 5 4',
  segment: 'M2.5 3.5h11l-4.25 5v4l-2.5 1.25V8.5z',
  form: 'M3.5 2.5h9v11h-9zM5.5 5.5h5M5.5 8h5M5.5 10.5h3',
  campaign: 'M2.5 6.5v3l2 .3V12a1 1 0 0 0 2 0v-1.9l6 2.4v-9l-7 2.8zM14.5 6.7v2.6',
  automation:
    'M4 5.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zm8 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM4 5.5v5a2 2 0 0 0 2 2h4M8 3.5h2a2 2 0 0 1 2 2v2m-1.75-1.75L12 7.5l1.75-1.75',
  message: 'M2 4h12v8.5H2zm0 .5 6 4.5 6-4.5',
  reply: 'M6.5 4 2.5 7.5l4 3.5V9c3.5 0 5.5 1 7 3.5-.3-4-2.7-6.5-7-6.5z',
  domain:
    'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM2 8h12M8 2c2 2 2.5 4 2.5 6S10 12 8 14c-2-2-2.5-4-2.5-6S6 4 8 2z',
  webhook:
    'M5.5 10.5 8 6.2A2.4 2.4 0 1 1 10.3 5M10 6l2.3 4a2.4 2.4 0 1 1-2.5 3.2M9.8 11.7H5.9a2.4 2.4 0 1 1-2-3',
  template: 'M2.5 3h11v3h-11zm0 5.5h5v5h-5zm7.5 0h3.5m-3.5 2.5h3.5m-3.5 2.5h3.5',
  status: 'M1.5 8.5h3l2-5 3 9 2-4h3',
  usage: 'M3 13.5v-4m3.3 4v-7m3.4 7v-5m3.3 5v-10',
  settings:
    'M8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4zm5.2-2c0-.4 0-.7-.1-1l1.2-1-1.3-2.2-1.5.5a5 5 0 0 0-1.7-1L9.5 2h-3l-.3 1.3a5 5 0 0 0-1.7 1L3 3.8 1.7 6l1.2 1a6 6 0 0 0 0 2l-1.2 1L3 12.2l1.5-.5a5 5 0 0 0 1.7 1l.3 1.3h3l.3-1.3a5 5 0 0 0 1.7-1l1.5.5 1.3-2.2-1.2-1z',
  link: 'M6.5 9.5 9.5 6.5M7 4.5l1-1a2.8 2.8 0 0 1 4 4l-1 1M9 11.5l-1 1a2.8 2.8 0 0 1-4-4l1-1',
  audit: 'M4 2.5h8v11H4zM6 5.5h4M6 8h4m-4 2.5h2.5M12 5h1.5m-1.5 3h1.5m-1.5 3h1.5',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zm3.5-1L14 14',
  plus: 'M8 3v10M3 8h10',
  check: 'M3 8.5 6.5 12 13 4.5',
  close: 'M4 4l8 8M12 4l-8 8',
  undo: 'M5.5 3 2.5 6l3 3M2.5 6h6.75a3.75 3.75 0 0 1 0 7.5H6',
  redo: 'M10.5 3l3 3-3 3M13.5 6H6.75a3.75 3.75 0 0 0 0 7.5H10',
  down: 'M4.5 6.5 8 10l3.5-3.5',
  up: 'M4.5 9.5 8 6l3.5 3.5',
  right: 'M6.5 4.5 10 8l-3.5 3.5',
  left: 'M9.5 4.5 6 8l3.5 3.5',
  copy: 'M5.5 5.5h8v8h-8zM3 10.5h-.5v-8h8V3',
  warn: 'M8 2.5 14.5 13.5h-13zM8 6.5v3.5m0 1.5v.5',
  error: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 5v3.5M8 11v.5',
  help: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM6.3 6.3C6.4 5.3 7.1 4.8 8 4.8s1.7.6 1.7 1.5c0 1.2-1.7 1.3-1.7 2.7M8 11v.3',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 7.5V11M8 5v.5',
  pen: 'M3 13l.6-2.9 7.3-7.3 2.3 2.3-7.3 7.3z',
  calendar: 'M2.5 4h11v9.5h-11zM2.5 7h11M5.5 2v3m5-3v3',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.5V8l2.5 1.5',
  pause: 'M5.5 3.5v9m5-9v9',
  play: 'M5 3.5v9l7.5-4.5z',
  sun: 'M8 10.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM8 1.5V3m0 10v1.5M1.5 8H3m10 0h1.5M3.4 3.4l1 1m7.2 7.2 1 1m0-9.2-1 1m-7.2 7.2-1 1',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5z',
  screen: 'M2 3h12v8H2zm4 10.5h4M8 11v2.5',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  dots: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  circle: 'M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11z',
  book: 'M8 4C6.8 3 5 2.5 2.5 2.5v10C5 12.5 6.8 13 8 14c1.2-1 3-1.5 5.5-1.5v-10C11 2.5 9.2 3 8 4zm0 0v10',
  code: 'M5.5 4.5 2 8l3.5 3.5m5-7L14 8l-3.5 3.5',
  out: 'M6.5 3.5h-4v9h10v-4M9 2.5h4.5V7M13 3 7.5 8.5',
  tag: 'M2.5 2.5h5l6 6-5 5-6-6zM5.3 5.3h.01',
  upload: 'M8 10.5v-8M4.75 5.5 8 2.25l3.25 3.25M2.5 10.5v3h11v-3',
  download: 'M8 2.5v8M4.75 7.25 8 10.5l3.25-3.25M2.5 10.5v3h11v-3',
  grip: 'M6 4h.01M10 4h.01M6 8h.01M10 8h.01M6 12h.01M10 12h.01',
  key: 'M10.5 9a3.5 3.5 0 1 0-3.3-2.3L2.5 11.4v2.1h2.6v-1.6h1.6v-1.6l1-1A3.5 3.5 0 0 0 10.5 9zM11 5.5h.01',
  phone: 'M5 2h6v12H5zM7.5 12h1',
  keyboard: 'M1.5 4h13v8.5h-13zM4 7h.01M6.6 7h.01M9.3 7h.01M12 7h.01M5 10h6',
} as const

export type IconName = keyof typeof paths

export function Icon({ name, className }: { name: IconName; className?: string | undefined }) {
  return (
    <svg
      aria-hidden="true"
      className={className}
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'dots' || name === 'grip' ? 2 : 1.35}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={paths[name]} />
    </svg>
  )
}
