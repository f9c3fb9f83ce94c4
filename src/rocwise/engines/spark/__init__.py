"""Spark frames of any size, on one machine or on a cluster; their rows never come here.

`is_spark_frame` recognises a frame of Spark, classic or Connect, without importing pyspark;
`spark_source` answers for it as `engines.requests.LargeSource` asks. What runs on Spark's own
Python processes is in `workers`; they need this package too.
"""

from rocwise.engines.spark.sources import is_spark_frame, spark_source

__all__ = ["is_spark_frame", "spark_source"]
