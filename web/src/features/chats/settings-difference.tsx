import type { ChatSettings } from '@cairn/sdk'
import { diffWordsWithSpace } from 'diff'
import { type SettingName, settingFields, settingText } from './setting-fields.ts'

/** The differences between two versions of the settings; the prompt is compared word by word. */
export function SettingsDifference({
  from,
  to,
  names,
  titles,
}: {
  from: ChatSettings
  to: ChatSettings
  names: readonly SettingName[]
  titles: readonly [string, string]
}) {
  const shown = settingFields.filter(({ name }) => names.includes(name))
  return (
    <div className="overflow-x-auto rounded-md border">
      <table className="w-full min-w-md text-left" aria-label={`${titles[0]} and ${titles[1]}`}>
        <thead className="bg-surface text-sm text-fg-2">
          <tr>
            <th scope="col" className="w-36 px-3 py-1.5 font-medium">
              Setting
            </th>
            {titles.map((title) => (
              <th key={title} scope="col" className="px-3 py-1.5 font-medium">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map(({ name, label }) => (
            <tr key={name} className="border-t align-top">
              <th scope="row" className="px-3 py-1.5 font-normal text-fg-2">
                {label}
              </th>
              {name === 'custom_prompt' ? (
                <PromptDifference from={from.custom_prompt ?? ''} to={to.custom_prompt ?? ''} />
              ) : (
                <>
                  <td className="px-3 py-1.5">
                    <del>{settingText(from, name)}</del>
                  </td>
                  <td className="px-3 py-1.5">
                    <ins className="bg-mark no-underline">{settingText(to, name)}</ins>
                  </td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function PromptDifference({ from, to }: { from: string; to: string }) {
  const parts = diffWordsWithSpace(from, to)
  const cell = 'max-h-48 overflow-auto px-3 py-1.5 break-words whitespace-pre-wrap'
  return (
    <>
      <td className={cell}>
        {from === '' && <span className="text-fg-3">None</span>}
        {parts.map(({ value, added, removed }, index) =>
          added ? null : removed ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text, in their order
            <del key={index}>{value}</del>
          ) : (
            value
          ),
        )}
      </td>
      <td className={cell}>
        {to === '' && <span className="text-fg-3">None</span>}
        {parts.map(({ value, added, removed }, index) =>
          removed ? null : added ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text, in their order
            <ins key={index} className="bg-mark no-underline">
              {value}
            </ins>
          ) : (
            value
          ),
        )}
      </td>
    </>
  )
}
