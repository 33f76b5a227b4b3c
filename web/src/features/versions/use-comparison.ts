import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { measuresOf } from './measures.ts'
import { comparisonQuery, oneVersionFiguresQuery, versionScoresQuery } from './queries.ts'

/** The figures of two versions; undefined until all are loaded. */
export function useComparison(projectId: string, a: string | undefined, b: string | undefined) {
  const comparison = useQuery(comparisonQuery(projectId, a, b))
  const nameA = comparison.data?.version_a.version
  const nameB = comparison.data?.version_b.version
  const figuresA = useQuery(oneVersionFiguresQuery(projectId, nameA))
  const figuresB = useQuery(oneVersionFiguresQuery(projectId, nameB))
  const scoresA = useQuery(versionScoresQuery(projectId, nameA))
  const scoresB = useQuery(versionScoresQuery(projectId, nameB))
  const all = [comparison, figuresA, figuresB, scoresA, scoresB]
  const measures = useMemo(() => {
    if (!comparison.data || figuresA.data === undefined || figuresB.data === undefined) return undefined
    if (!scoresA.data || !scoresB.data) return undefined
    return measuresOf(comparison.data, {
      a: { figures: figuresA.data, scores: scoresA.data },
      b: { figures: figuresB.data, scores: scoresB.data },
    })
  }, [comparison.data, figuresA.data, figuresB.data, scoresA.data, scoresB.data])
  return {
    comparison: comparison.data,
    measures,
    error: all.find(({ error }) => error)?.error,
    retry: () => {
      for (const { error, refetch } of all) if (error) void refetch()
    },
  }
}
