"""Linear state-space models by brute force: the joint Gaussian of all states and observations."""

from dataclasses import dataclass

import numpy as np
from scipy.stats import multivariate_normal


@dataclass
class LinearModel:
    transition: np.ndarray
    observation: np.ndarray
    process_noise: np.ndarray
    observation_noise: np.ndarray
    initial_mean: np.ndarray
    initial_covariance: np.ndarray
    offset: np.ndarray

    def noises(self):
        names = ("process_noise", "observation_noise", "initial_mean", "initial_covariance")
        return {name: getattr(self, name) for name in names}

    def joint(self, n_times):
        """Mean and covariance of (x_1, ..., x_T, y_1, ..., y_T)."""
        A, H, L = self.transition, self.observation, len(self.transition)
        means, powers = [], []
        mean = self.initial_mean
        for _ in range(n_times):
            mean = A @ mean + self.offset
            means.append(mean)
        # x_t is a linear map of (x_0, v_1, ..., v_T)
        rows = np.zeros((n_times, L, (n_times + 1) * L))
        last = np.zeros((L, (n_times + 1) * L))
        last[:, :L] = np.eye(L)
        for t in range(n_times):
            last = A @ last
            last[:, (t + 1) * L : (t + 2) * L] += np.eye(L)
            rows[t] = last
        powers = rows.reshape(n_times * L, -1)
        blocks = [self.initial_covariance] + [self.process_noise] * n_times
        source = np.zeros((len(blocks) * L, len(blocks) * L))
        for i, block in enumerate(blocks):
            source[i * L : (i + 1) * L, i * L : (i + 1) * L] = block
        states = powers @ source @ powers.T
        view = np.kron(np.eye(n_times), H)
        noise = np.kron(np.eye(n_times), self.observation_noise)
        mean = np.concatenate(means)
        cross = states @ view.T
        seen = view @ cross + noise
        covariance = np.block([[states, cross], [cross.T, seen]])
        return np.concatenate([mean, view @ mean]), covariance

    def log_likelihood(self, y):
        mean, covariance = self.joint(len(y))
        cut = len(y) * len(self.transition)
        return multivariate_normal(mean[cut:], covariance[cut:, cut:]).logpdf(np.ravel(y))

    def states_given(self, y, known):
        """Mean and covariance of all states given the first `known` observations of y."""
        mean, covariance = self.joint(len(y))
        L, d = len(self.transition), len(self.observation)
        cut = len(y) * L
        part = slice(cut, cut + known * d)
        gain = np.linalg.solve(covariance[part, part], covariance[part, :cut]).T
        states = mean[:cut] + gain @ (np.ravel(y)[: known * d] - mean[part])
        left = covariance[:cut, :cut] - gain @ covariance[part, :cut]
        return states.reshape(-1, L), left


def random_model(rng, L, d, *, rank=None):
    def covariance(n, columns):
        root = rng.normal(size=(n, columns))
        return root @ root.T / columns

    return LinearModel(
        transition=rng.normal(size=(L, L)) / (1.2 * np.sqrt(L)),
        observation=rng.normal(size=(d, L)),
        process_noise=covariance(L, rank or L + 1),
        observation_noise=covariance(d, d + 1) + 0.1 * np.eye(d),
        initial_mean=rng.normal(size=L),
        initial_covariance=covariance(L, L + 1) + 0.1 * np.eye(L),
        offset=rng.normal(size=L),
    )
