/** A text of four related sections. Each section becomes a chunk. */
const sections = [
  `# The mill

This guide describes the water mill of the valley: first its wheel, then the stones and the flour that they grind, and
at the end what became of it when the railway came. It is meant for visitors who want to know what they are looking at,
and for the volunteers who show it to them on the open days in summer, from the first weekend of May to the last one of
September.`,
  `## The wheel

The wheel of the mill is five metres high and has forty buckets of oak. Water from the weir falls into them from above
and turns the wheel eight times a minute. In a dry summer the water of the weir lasts for six hours a day, and the
miller opens the gate at noon. The wheel has been built anew three times, the last time by a wheelwright from the next
village.`,
  `### Why it stands still in winter

The reason is the ice. Because the buckets of the wheel fill with ice within one night of hard frost, the wheel becomes
too heavy on one side, and this means that the shaft of the wheel would break when the gate is opened. In former times
the miller and his sons knocked the ice out of the buckets with hammers of wood, every morning before dawn.`,
  `### Seen in numbers

For example, the books of the mill show that in the winter of 1894 the wheel with its buckets stood still on 61 days
because of the ice, and on average of the ten years from 1890 on 43 days. A survey of 12 other mills in the valley
counted 38 days, and 70 percent of the millers lost a shaft at least once.`,
]

export const millText = sections.join('\n\n')
