import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { measuresOf } from './measures.ts'
import { comparisonQuery, oneVersionFiguresQuery, versionSampleQuery, versionScoresQuery } from './queries.ts'

/** The figures of two versions; undefined until all are loaded. */
export function useComparison(projectId: string, a: string | undefined, b: string | undefined) {
  const comparison = useQuery(comparisonQuery(projectId, a, b))
  const nameA = comparison.data?.version_a.version
  const nameB = comparison.data?.version_b.version
  const figuresA = useQuery(oneVersionFiguresQuery(projectId, nameA))
  const figuresB = useQuery(oneVersionFiguresQuery(projectId, nameB))
  const scoresA = useQuery(versionScoresQuery(projectId, nameA))
  const scoresB = useQuery(versionScoresQuery(projectId, nameB))
  const sampleA = useQuery(versionSampleQuery(projectId, nameA))
  const sampleB = useQuery(versionSampleQuery(projectId, nameB))
  const all = [comparison, figuresA, figuresB, scoresA, scoresB, sampleA, sampleB]
  const measures = useMemo(() => {
    if (!comparison.data || figuresA.data === undefined || figuresB.data === undefined) return undefined
    if (!scoresA.data || !scoresB.data || !sampleA.data || !sampleB.data) return undefined
    return measuresOf(comparison.data, {
      a: { figures: figuresA.data, scores: scoresA.data, sample: sampleA.data },
      b: { figures: figuresB.data, scores: scoresB.data, sample: sampleB.data },
    })
  }, [comparison.data, figuresA.data, figuresB.data, scoresA.data, scoresB.data, sampleA.data, sampleB.data])
  return {
    comparison: comparison.data,
    measures,
    error: all.find(({ error }) => error)?.error,
    retry: () => {
      for (const { error, refetch } of all) if (error) void refetch()
    },
  }
}
