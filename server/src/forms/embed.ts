/** How the script of a form shows it on another site. */
import { type Static, Type } from '../lib/schema/schema.ts'

export const embedLimits = {
  /** Nobody is interrupted sooner. */
  secondsBefore: { least: 5, most: 600, usual: 15 },
  scrollPercent: { least: 10, most: 95, usual: 50 },
  /** How long a form that was closed does not open by itself again. */
  quietDays: { least: 1, most: 365, usual: 30 },
  labelLength: 60,
} as const

const { secondsBefore, scrollPercent, quietDays, labelLength } = embedLimits

export const embedSettings = Type.Object(
  {
    show: Type.Optional(
      Type.Enum(['inline', 'popup', 'bar', 'button'], {
        description:
          'inline: where the script stands (the default). popup: a dialog that opens by itself. bar: a line at the bottom. button: in the corner; bar and button open the dialog.',
      }),
    ),
    on: Type.Optional(
      Type.Enum(['time', 'scroll', 'leave'], {
        description:
          'When a popup opens: after a time (the default), when so much was scrolled, or when the pointer leaves the page, on desktops alone.',
      }),
    ),
    after_seconds: Type.Optional(
      Type.Integer({
        minimum: secondsBefore.least,
        maximum: secondsBefore.most,
        description: `Of a popup by time. Default ${secondsBefore.usual}.`,
      }),
    ),
    scroll_percent: Type.Optional(
      Type.Integer({
        minimum: scrollPercent.least,
        maximum: scrollPercent.most,
        description: `Of a popup by scrolling. Default ${scrollPercent.usual}.`,
      }),
    ),
    quiet_days: Type.Optional(
      Type.Integer({
        minimum: quietDays.least,
        maximum: quietDays.most,
        description: `How long a popup or bar that was closed stays away. Default ${quietDays.usual}.`,
      }),
    ),
    label: Type.Optional(
      Type.String({
        maxLength: labelLength,
        description: 'Of the button, and of that in the bar. Default: the label of the form’s own.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type EmbedSettings = Static<typeof embedSettings>
